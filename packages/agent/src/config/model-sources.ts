import type { JsonObject } from "@agentwire/protocol";
import type { ModelSources } from "../model/choose-model.ts";
import { cloudIn } from "../model/clouds.ts";
import { namedModel } from "../model/model-names.ts";
import type { Config } from "./config.ts";
import { wholeNumber } from "./flag-values.ts";

/** Where replies come from, according to the command line, the environment and the settings. */
export function modelSources(config: Config, { model, providers, apiKeyHelper }: JsonObject): ModelSources {
  const { flags, env, cwd, modelNames } = config;
  const script = flags.text("script") ?? env.AGENTWIRE_SCRIPT;
  const wanted = config.model ?? (typeof model === "string" ? model : "default");
  return {
    ...(script && { script }),
    variables: new Map([["cwd", cwd]]),
    name: namedModel(modelNames, wanted),
    providers: { table: providers, env },
    env,
    cloud: cloudIn(env),
    ...(typeof apiKeyHelper === "string" && apiKeyHelper !== "" && { apiKeyHelper }),
    apiKeyHelperTtlMs: wholeNumber(env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS),
    ...(env.ANTHROPIC_BASE_URL && { baseUrl: env.ANTHROPIC_BASE_URL }),
    ...(env.ANTHROPIC_API_KEY && { apiKey: env.ANTHROPIC_API_KEY }),
    ...(env.ANTHROPIC_AUTH_TOKEN && { authToken: env.ANTHROPIC_AUTH_TOKEN }),
    ...(env.ANTHROPIC_CUSTOM_HEADERS && { headers: readCustomHeaders(env.ANTHROPIC_CUSTOM_HEADERS) }),
  };
}

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads headers in the form of `ANTHROPIC_CUSTOM_HEADERS`: one `Name: value` per line. Other lines are ignored. */
export function readCustomHeaders(text: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (colon > 0 && NAME.test(name) && VALUE.test(value)) headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
