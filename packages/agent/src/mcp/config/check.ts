import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { McpServerConfig } from "@agentwire/protocol/control";
import { parseUrl } from "@agentwire/protocol/support";

/** Checks that a value describes how to reach a server; otherwise returns what is wrong with it. */
export function checkServer(config: JsonObject): McpServerConfig | string {
  const { type } = config;
  switch (type) {
    case undefined:
    case null:
      if (config.command === undefined && config.url !== undefined)
        return 'it has a url but no type: say "http" or "sse"';
      return checkFields(config, COMMAND) ?? ({ ...config, type: "stdio" } as McpServerConfig);
    case "stdio":
      return checkFields(config, COMMAND) ?? (config as McpServerConfig);
    case "http":
    case "sse":
      return checkFields(config, REMOTE) ?? (config as McpServerConfig);
    case "sdk":
      return checkFields(config, IN_HOST) ?? (config as McpServerConfig);
    default:
      return `type ${JSON.stringify(type)} is not one of stdio, http, sse, sdk`;
  }
}

interface Check {
  readonly is: (value: unknown) => boolean;
  readonly words: string;
  readonly required?: boolean;
}

type Fields = { readonly [field: string]: Check };

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTextMap = (value: unknown): boolean => isJsonObject(value) && Object.values(value).every(isText);
const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";
const isUrl = (value: unknown): boolean => typeof value === "string" && parseUrl(value) !== undefined;
const isDelay = (value: unknown): boolean => typeof value === "number" && value > 0;

const SWITCH: Check = { is: (value) => typeof value === "boolean", words: "true or false" };
const COMMON: Fields = {
  timeout: { is: isDelay, words: "a number of milliseconds" },
  alwaysLoad: SWITCH,
};
const COMMAND: Fields = {
  ...COMMON,
  shared: SWITCH,
  command: { is: isFilled, words: "a text", required: true },
  args: { is: isTexts, words: "a list of strings" },
  env: { is: isTextMap, words: "an object of strings" },
};
const REMOTE: Fields = {
  ...COMMON,
  shared: SWITCH,
  url: { is: isUrl, words: "a URL", required: true },
  headers: { is: isTextMap, words: "an object of strings" },
};
const IN_HOST: Fields = { ...COMMON, name: { is: isFilled, words: "a text", required: true } };

function checkFields(config: JsonObject, fields: Fields): string | undefined {
  for (const [field, { is, words, required }] of Object.entries(fields)) {
    const value = config[field];
    if (value === undefined && !required) continue;
    if (!is(value)) return `${field} must be ${words}`;
  }
  return undefined;
}
