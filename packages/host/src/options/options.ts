import { parseVersion } from "@agentwire/protocol/compatibility";
import { jsonObject, scalar, string } from "@agentwire/protocol/schema";
import { HostError } from "../errors.ts";
import type { Options } from "../sdk/options.ts";
import type { OwnOptions, QueryOptions } from "../sdk/own-options.ts";
import { givenDeadlines, givenOptions, length, type OptionSchemas } from "./check.ts";
import { QUERY_OPTIONS } from "./query-options.ts";
import { withSandbox } from "./sandbox-settings.ts";
import { skillRules } from "./skill-rules.ts";

/** Returns the options that were given; throws at once for what no agent could honor: unknown options, wrong types, contradictions. */
export function checkedOptions(all: QueryOptions): QueryOptions {
  const options = givenOptions(all, QUERY_OPTIONS, (name) => `unknown option ${name} of this host`);
  const fault = CONTRADICTIONS.find(({ holds }) => holds(options));
  if (fault) throw new HostError("invalid_option", fault.reason);
  const foreign = options.plugins?.find(({ type }) => type !== "local");
  if (foreign) throw new HostError("unsupported_option", `plugins of type ${foreign.type} can't be loaded`);
  // These throw for an invalid name or file.
  skillRules(options.skills);
  if (options.sandbox && typeof options.settings === "string") withSandbox(options.settings, options.sandbox);
  return options.agentwire ? { ...options, agentwire: checkedOwnOptions(options.agentwire) } : options;
}

const OWN_OPTIONS: OptionSchemas<OwnOptions> = {
  assumeVersion: scalar<string>(
    "a version, e.g. 2.1.325",
    (value) => typeof value === "string" && parseVersion(value) !== undefined,
  ),
  deadlines: jsonObject,
  maxLineBytes: length,
  record: string,
};

function checkedOwnOptions(all: OwnOptions): OwnOptions {
  const options = givenOptions(all, OWN_OPTIONS, (name) => `unknown option ${name} of agentwire`);
  return options.deadlines ? { ...options, deadlines: givenDeadlines(options.deadlines) } : options;
}

interface Contradiction {
  readonly holds: (options: Options) => boolean;
  readonly reason: string;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    holds: ({ canUseTool, permissionPromptToolName }) => Boolean(canUseTool && permissionPromptToolName),
    reason: "canUseTool and permissionPromptToolName can't be combined: give one of them",
  },
  {
    holds: ({ model, fallbackModel }) => Boolean(model) && model === fallbackModel,
    reason: "fallbackModel must differ from the main model",
  },
  {
    holds: ({ supportedDialogKinds = [], onUserDialog }) => supportedDialogKinds.length > 0 && !onUserDialog,
    reason: "supportedDialogKinds needs onUserDialog to show the dialogs",
  },
  {
    holds: ({ sessionStore, persistSession }) => Boolean(sessionStore) && persistSession === false,
    reason:
      "sessionStore copies what the agent writes to disk, so it can't be combined with persistSession: false",
  },
  {
    holds: (options) =>
      Boolean(options.sessionStore && options.continue && !options.resume) &&
      !options.sessionStore?.listSessions,
    reason: "continue with a sessionStore needs the store's listSessions to know which session is the newest",
  },
  {
    holds: ({ sessionStore, enableFileCheckpointing }) => Boolean(sessionStore && enableFileCheckpointing),
    reason:
      "enableFileCheckpointing can't be combined with sessionStore: the store does not hold the saved files, so a resume would lack them",
  },
];

/** Describes which tool calls `canUseTool` will never see because something else allows them first; undefined if it sees all. */
export function shadowedCallback({
  canUseTool,
  permissionMode,
  allowedTools = [],
}: Options): string | undefined {
  if (!canUseTool) return undefined;
  if (permissionMode === "bypassPermissions")
    return "canUseTool is not asked in permission mode bypassPermissions; a PreToolUse hook sees every call";
  const whole = allowedTools.filter((rule) => rule !== "" && !rule.includes("("));
  if (whole.length === 0) return undefined;
  return `canUseTool is not asked about ${whole.join(", ")}: allowedTools allows them as a whole; a PreToolUse hook sees every call`;
}
