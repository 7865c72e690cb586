import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { redactor } from "@agentwire/protocol/support";

/** A part of a file that is ignored because its folder is not trusted. */
export interface Withheld {
  readonly path: string;
  /** The setting, server or key, as it appears in the file. */
  readonly what: string;
}

/** For each key, what applies: any value, some keys of its object, or only certain values. */
type Applicable = { readonly [key: string]: true | Applicable | ((value: unknown) => boolean) };

const ifTrue = (value: unknown) => value === true;
const ifFalse = (value: unknown) => value === false;

/** Whether a model name chooses a provider, and so where requests go; only the user and trusted folders may. */
export const namesProvider = (model: unknown) => typeof model === "string" && model.includes("/");

/**
 * The settings that apply in an untrusted folder: those that forbid something, and those that only affect text or appearance. All
 * others could start programs, allow calls or choose where requests go, now or with keys added in the future.
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

/** Removes and lists the settings that are ignored in an untrusted folder. */
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

/** A value as shown to people before they trust a folder: commands and addresses, without secrets. */
export function shown(value: unknown): string {
  const text = redact(JSON.stringify(value) ?? "");
  // Invisible characters could hide visible ones.
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
  return visible.length > MAX_DETAIL ? `${visible.slice(0, MAX_DETAIL)}…` : visible;
}
