import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { redactor } from "@agentwire/protocol/support";

/** A part of a file that is ignored because its folder is not trusted. */
export interface Withheld {
  readonly path: string;
  /** The setting, server or key, in words that people can find again. */
  readonly what: string;
}

/** Which of its keys count: all of them, those of the object that it holds, or only some values. */
type Applicable = { readonly [key: string]: true | Applicable | ((value: unknown) => boolean) };

const ifTrue = (value: unknown) => value === true;
const ifFalse = (value: unknown) => value === false;

/** Whether a name says which provider is asked, and so where requests go; only the user and trusted folders may. */
export const namesProvider = (model: unknown) => typeof model === "string" && model.includes("/");

/**
 * The settings that apply in a folder that is not trusted: those that forbid something, and those that are only text or appearance. All others
 * could start programs, allow calls or choose where requests go, now or with the next key that is invented.
 */
const APPLICABLE: Applicable = {
  $schema: true,
  permissions: { deny: true, ask: true, disableBypassPermissionsMode: true, disableAutoMode: true },
  sandbox: {
    enabled: ifTrue,
    failIfUnavailable: ifTrue,
    autoAllowBashIfSandboxed: ifFalse,
    allowUnsandboxedCommands: ifFalse,
    hooks: true,
    mcpServers: true,
    filesystem: { denyRead: true, denyWrite: true },
    network: { deniedDomains: true, strictAllowlist: ifTrue },
  },
  disabledMcpjsonServers: true,
  deniedMcpServers: true,
  disableAutoMode: true,
  model: (value) => typeof value === "string" && !namesProvider(value),
  effortLevel: true,
  alwaysThinkingEnabled: true,
  outputStyle: true,
  language: true,
  attribution: true,
  includeCoAuthoredBy: true,
  includeGitInstructions: true,
  promptSuggestionEnabled: true,
  respectGitignore: true,
  spinnerTipsEnabled: true,
  spinnerVerbs: true,
};

/** Removes the settings that are ignored in a folder that is not trusted, and lists them. */
export function untrustedSettings(settings: JsonObject): {
  readonly settings: JsonObject;
  readonly withheld: readonly string[];
} {
  const withheld: string[] = [];
  return { settings: applicable(settings, APPLICABLE, "", withheld), withheld };
}

function applicable(settings: JsonObject, known: Applicable, at: string, withheld: string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
      const counts = Object.hasOwn(known, key) ? known[key] : undefined;
      if (counts === true || (typeof counts === "function" && counts(value))) return [[key, value]];
      if (typeof counts === "object" && isJsonObject(value))
        return [[key, applicable(value, counts, `${at}${key}.`, withheld)]];
      if (!isEmpty(value)) withheld.push(`${at}${key} ${shown(value)}`);
      return [];
    }),
  );
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

const MAX_DETAIL = 200;
const redact = redactor([]);

/** A value as people have to see it before they trust: commands and addresses, without secrets. */
export function shown(value: unknown): string {
  const text = redact(JSON.stringify(value) ?? "");
  // What can't be seen could hide what can.
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
  return visible.length > MAX_DETAIL ? `${visible.slice(0, MAX_DETAIL)}…` : visible;
}
