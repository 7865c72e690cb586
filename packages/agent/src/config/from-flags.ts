import { resolve } from "node:path";
import { type AgentDefinition, readHostRequest } from "@agentwire/protocol/control";
import { type PermissionMode, toPermissionMode } from "@agentwire/protocol/permission";
import { UsageError } from "../usage-error.ts";
import { checkFlags, checkServerList } from "./check-flags.ts";
import { listOf, textOf } from "./flag-values.ts";
import { EFFORTS, type FlagName, type Flags } from "./flags.ts";

/** The folder of a plugin, and whether its MCP servers are wanted. */
export interface PluginFolder {
  readonly path: string;
  readonly withServers: boolean;
}

/** The part of the configuration that depends only on the command line; paths are absolute. */
export interface FlagConfig {
  /** Invalid values that can be ignored. */
  readonly ignored: readonly string[];
  /** The words of the prompt. */
  readonly words: readonly string[];
  /** The output format as given; each mode checks it. */
  readonly outputFormat: string | undefined;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly debugFile: string | undefined;

  /** The requested mode, unless it is a conversation with a host or a single prompt. */
  readonly mode: "repl" | "inspect" | "dump" | "compact" | undefined;
  /** Whether a host drives the agent with lines on stdin. */
  readonly talks: boolean;
  /** The dialect given with `--dialect`. */
  readonly dialect: string | undefined;
  /** Flags that only the hosts of one dialect pass. */
  readonly dialectFlags: readonly string[];
  readonly tolerant: boolean;
  /** The worktree for the session to start in, with or without a name; undefined for none. */
  readonly worktree: { readonly name: string | undefined } | undefined;
  readonly partialMessages: boolean;
  readonly replayPrompts: boolean;
  readonly hookEvents: boolean;
  readonly authStatus: boolean;
  readonly forwardSubagentText: boolean;
  /** Whether the agent waits for `initialize` before it starts. */
  readonly awaitsInitialize: boolean;
  /** Whether the agent was started in advance, for a session that will claim it. */
  readonly awaitsClaim: boolean;
  /** Whether the administrator's settings arrive with `initialize`. */
  readonly policyComesLater: boolean;
  /** Whether the host answers permission questions. */
  readonly hasHost: boolean;
  /** The MCP tool that answers them instead. */
  readonly promptTool: string | undefined;

  /** The SQLite file that stores the sessions; undefined if each session has its own file. */
  readonly database: string | undefined;
  /** After how many tokens of new material long-term memory is updated; 0 for never. */
  readonly consolidateAfter: number;
  readonly sessionId: string | undefined;
  readonly resume: string | undefined;
  readonly continues: boolean;
  readonly forks: boolean;
  readonly resumeAt: string | undefined;
  readonly resumeDropsTurn: string | undefined;
  readonly persists: boolean;
  /** Whether the host gets a copy of each stored line. */
  readonly mirrors: boolean;
  readonly title: string | undefined;

  /** `--settings`: a file, or JSON. */
  readonly settings: string | undefined;
  /** The administrator's settings as JSON, given by the host. */
  readonly managedSettings: string | undefined;
  /** Whether the project is trusted regardless of the user's stored choice. */
  readonly trusts: boolean;
  /** Additional folders that the session works in. */
  readonly addedFolders: readonly string[];
  /** MCP servers: files, or JSON. */
  readonly mcpConfigs: readonly string[];
  readonly strictMcp: boolean;
  readonly plugins: readonly PluginFolder[];
  /** The requested triggers of the Setup hook. */
  readonly setupTriggers: readonly ("init" | "maintenance")[];

  readonly permissionMode: PermissionMode | undefined;
  readonly skipsPermissions: boolean;
  readonly allowsBypass: boolean;
  readonly permissionPrompts: "host" | "none";
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly tools: string | undefined;

  /** The agent that the session itself runs as. */
  readonly agent: string | undefined;
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly fallbackModels: readonly string[];
  readonly effort: string | undefined;
  readonly betas: readonly string[];
  /** The token budget for the task that is passed to the model. */
  readonly taskBudget: number | undefined;
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly appendSubagentPrompt: string | undefined;
  readonly planModeInstructions: string | undefined;
  readonly excludeDynamicSections: boolean;
  readonly keepsSystemPrompt: boolean;
  readonly promptSuggestions: boolean;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  readonly jsonSchema: string | undefined;
}

const MODES = ["inspect", "dump", "repl", "compact"] as const;
const DIALECT_FLAGS = ["stdio", "cwd"] as const;

/** Reads the command line of a session in a folder; throws a `UsageError` for invalid values and combinations. */
export function readFlags(flags: Flags, cwd: string): FlagConfig {
  checkFlags(flags);
  for (const given of flags.list("mcp-config")) checkServerList(given, cwd);
  const isStreamed = flags.value("input-format") === "stream-json";
  // An editor shows output as it arrives, and can answer questions.
  const isAcp = flags.has("acp");
  const prompts = flags.value("permission-prompts");
  const asks = flags.text("permission-prompt-tool");
  const path = (given: string) => resolve(cwd, given);
  return {
    ignored: ignoredIn(flags),
    words: [flags.text("print") ?? "", ...flags.words].filter((word) => word !== ""),
    outputFormat: flags.text("output-format"),
    verbose: flags.has("verbose"),
    debug: flags.has("debug"),
    debugFile: pathOf(flags.text("debug-file"), cwd),

    mode: MODES.find(flags.has),
    talks: isStreamed || flags.has("stdio") || flags.has("dialect") || isAcp,
    dialect: flags.text("dialect") ?? (isAcp ? "acp" : undefined),
    dialectFlags: DIALECT_FLAGS.filter(flags.has).map((name) => `--${name}`),
    tolerant: flags.has("tolerant"),
    worktree: flags.has("worktree") ? { name: flags.text("worktree") || undefined } : undefined,
    partialMessages: flags.has("include-partial-messages") || isAcp,
    replayPrompts: flags.has("replay-user-messages"),
    hookEvents: flags.has("include-hook-events"),
    authStatus: flags.has("enable-auth-status"),
    forwardSubagentText: flags.has("forward-subagent-text"),
    awaitsInitialize: flags.has("await-initialize") || flags.has("managed-settings-in-initialize"),
    awaitsClaim: flags.has("await-claim"),
    policyComesLater: flags.has("managed-settings-in-initialize"),
    // The user of the REPL acts as the host, and can answer questions.
    hasHost: (asks === "stdio" || flags.has("repl") || isAcp) && prompts !== "none",
    promptTool: asks === "stdio" || prompts === "none" ? undefined : asks || undefined,

    database: databaseOf(flags, cwd),
    consolidateAfter: flags.value("consolidate-after") ?? 10_000,
    sessionId: flags.text("session-id"),
    resume: flags.text("resume"),
    continues: flags.has("continue"),
    forks: flags.has("fork-session"),
    resumeAt: flags.text("resume-session-at") || undefined,
    resumeDropsTurn: flags.text("resume-drops-turn") || undefined,
    persists: !flags.has("no-session-persistence"),
    mirrors: flags.has("session-mirror"),
    title: flags.text("name"),

    settings: flags.text("settings") || undefined,
    managedSettings: flags.text("managed-settings") || undefined,
    trusts: flags.has("trust"),
    addedFolders: flags.list("add-dir").map(path),
    mcpConfigs: flags.list("mcp-config").map((given) => (isJson(given) ? given : path(given))),
    strictMcp: flags.has("strict-mcp-config"),
    plugins: [
      ...flags.list("plugin-dir").map((folder) => ({ path: path(folder), withServers: true })),
      ...flags.list("plugin-dir-no-mcp").map((folder) => ({ path: path(folder), withServers: false })),
    ],
    setupTriggers: (["init", "maintenance"] as const).filter(flags.has),

    permissionMode: toPermissionMode(flags.value("permission-mode") ?? ""),
    skipsPermissions: flags.has("dangerously-skip-permissions"),
    allowsBypass:
      flags.has("dangerously-skip-permissions") || flags.has("allow-dangerously-skip-permissions"),
    permissionPrompts: prompts ?? "host",
    allowedTools: flags.list("allowedTools"),
    disallowedTools: flags.list("disallowedTools"),
    tools: flags.text("tools"),

    agent: flags.text("agent"),
    agents: agentsOf(flags.text("agents")),
    fallbackModels: listOf(flags.text("fallback-model")),
    effort: EFFORTS.find((level) => level === flags.text("effort")),
    betas: flags.list("betas").flatMap(listOf),
    taskBudget: flags.value("task-budget"),
    systemPrompt: textOf(flags, "system-prompt", "system-prompt-file", cwd),
    appendSystemPrompt: textOf(flags, "append-system-prompt", "append-system-prompt-file", cwd),
    appendSubagentPrompt: flags.text("append-subagent-system-prompt"),
    planModeInstructions: flags.text("plan-mode-instructions"),
    excludeDynamicSections: flags.has("exclude-dynamic-system-prompt-sections"),
    keepsSystemPrompt:
      flags.has("system-prompt-snapshot") && flags.text("system-prompt-snapshot") !== "false",
    promptSuggestions: flags.has("prompt-suggestions"),
    maxTurns: limitOf(flags),
    maxBudgetUsd: flags.value("max-budget-usd"),
    jsonSchema: flags.text("json-schema") || undefined,
  };
}

/** An unknown effort is reported and ignored. */
function ignoredIn(flags: Flags): readonly string[] {
  const effort = flags.text("effort");
  if (!effort || EFFORTS.some((level) => level === effort)) return [];
  return [`--effort ${effort}: choose one of ${EFFORTS.join(", ")}`];
}

/** Zero or less means no limit. */
function limitOf(flags: Flags): number | undefined {
  const limit = flags.value("max-turns");
  return limit !== undefined && limit > 0 ? limit : undefined;
}

/** The modes that store their sessions in a database even if none is named. */
const DATABASE_MODES: readonly FlagName[] = ["stdio", "repl", "inspect", "dump", "compact", "db"];

/** Flags that only apply to sessions stored as files. */
const FILE_FLAGS: readonly FlagName[] = ["resume", "continue", "fork-session", "no-session-persistence"];

function databaseOf(flags: Flags, cwd: string): string | undefined {
  if (!DATABASE_MODES.some(flags.has)) return undefined;
  const stray = FILE_FLAGS.find(flags.has);
  if (stray)
    throw new UsageError(
      `--${stray} works only with session files; with a database, name the session: --session-id ID, or session_id in a message`,
    );
  return resolve(cwd, flags.text("db") || "agent.db");
}

const pathOf = (given: string | undefined, cwd: string) => (given ? resolve(cwd, given) : undefined);

const isJson = (text: string) => text.trimStart().startsWith("{");

/** `--agents` has the format of `initialize.agents`, and is read the same way. */
function agentsOf(text: string | undefined): ReadonlyMap<string, AgentDefinition> {
  if (text === undefined || text === "") return new Map();
  let agents: unknown;
  try {
    agents = JSON.parse(text);
  } catch (cause) {
    throw new UsageError("--agents: the value is not JSON", { cause });
  }
  const read = readHostRequest({ subtype: "initialize", agents });
  if (!read.ok) throw new UsageError(`--agents: ${read.reason}`);
  return new Map(Object.entries(("agents" in read.request && read.request.agents) || {}));
}
