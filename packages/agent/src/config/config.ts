import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import { configFolder, isFolder, userFile } from "@agentwire/local/files";
import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Thinking } from "../model/model.ts";
import { type ModelNames, modelNames } from "../model/model-names.ts";
import { UsageError } from "../usage-error.ts";
import { checkFlags, checkServerList } from "./check-flags.ts";
import { choice, numberOf, textOf, wholeNumber } from "./flag-values.ts";
import type { FlagName, Flags } from "./flags.ts";

/** What a process was asked to be: read once from the command line and the environment, then never looked up again. */
export interface Config {
  readonly flags: Flags;
  /** What the command line says and nobody here understands, though nothing depends on it. */
  readonly ignored: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder whose `.claude` and `.mcp.json` are the project's. */
  readonly projectRoot: string;
  readonly home: string;
  /** `$CLAUDE_CONFIG_DIR`, or `~/.claude`. */
  readonly configDir: string;
  /** What the user has said about servers and projects: the official agent's `.claude.json`. */
  readonly userFile: string;
  readonly temporaryFolder: string;
  /** Which settings are read: of the user, the project, and the user for the project. */
  readonly sources: ReadonlySet<string>;
  /** Whose notes, commands, skills, agents and servers are looked for; nobody's where only what is named counts. */
  readonly contextSources: ReadonlySet<string>;
  /** Whether only what the command line names counts, beside the settings' rules: few tools, no hooks, no prompt of our own. */
  readonly bare: boolean;
  readonly model: string | undefined;
  /** What short names of models stand for. */
  readonly modelNames: ModelNames;
  /** Models that stand in for one that is too busy, in order. */
  readonly fallbackModels: readonly string[];
  readonly thinking: Thinking | undefined;
  /** How many tokens a reply may have, where that is not left to the model. */
  readonly maxReplyTokens: number | undefined;
  readonly effort: string | undefined;
  readonly betas: readonly string[];
  /** How many tokens a task may take, as the model is told. */
  readonly taskBudget: number | undefined;
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  readonly jsonSchema: string | undefined;
  readonly partialMessages: boolean;
  readonly replayPrompts: boolean;
  /** Whether `session_state_changed` is sent: never, to anyone, or for the host's own use. */
  readonly stateEvents: "none" | "all" | "host_only";
  /** Whether the host answers permission questions. */
  readonly hasHost: boolean;
  /** The MCP tool that answers them in its place. */
  readonly promptTool: string | undefined;
  readonly maxRetries: number;
  /** Whether a small model sums up what the tools of each step did. */
  readonly toolSummaries: boolean;
  readonly checkpointing: boolean;
  readonly tolerant: boolean;
  /** Whether the administrator's settings come with `initialize`, before which nothing begins. */
  readonly policyComesLater: boolean;
  /** Whether a host drives the agent, line by line. */
  readonly talks: boolean;
  /** The SQLite file that keeps the sessions; undefined where they are files of their own. */
  readonly database: string | undefined;
  /** After how many tokens of new material long-term memory is brought up to date; 0 for never. */
  readonly consolidateAfter: number;
  /** Whether a subagent works in the background unless the model wants to wait for it, where the host's dialect leaves room for that. */
  readonly delegatesAside: boolean;
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
const DISPLAYS = ["summarized", "omitted", "highlights"] as const;

/** Reads the configuration; throws a `UsageError` for values that can't be meant and for what this agent can't do. */
export function readConfig(flags: Flags, env: Config["env"], startedIn: string): Config {
  checkFlags(flags);
  const cwd = cwdOf(flags, startedIn);
  const home = env.HOME ?? homedir();
  const sources = sourcesOf(flags);
  const bare = flags.has("bare") || isOn(env.CLAUDE_CODE_SIMPLE);
  for (const given of flags.list("mcp-config")) checkServerList(given, cwd);
  choice(flags, "input-format", ["text", "stream-json"]);
  choice(flags, "permission-mode", [...PERMISSION_MODES, "manual"]);
  const prompts = choice(flags, "permission-prompts", ["host", "none"]);
  const asks = flags.text("permission-prompt-tool");
  return Object.freeze({
    flags,
    ignored: ignoredIn(flags),
    env,
    cwd,
    projectRoot: resolve(cwd, flags.text("project-config-root") ?? "."),
    home,
    configDir: configFolder(env, home),
    userFile: userFile(env, home),
    temporaryFolder: env.CLAUDE_CODE_TMPDIR || tmpdir(),
    sources,
    contextSources: bare ? new Set<string>() : sources,
    bare,
    model: flags.text("model") || env.ANTHROPIC_MODEL || undefined,
    modelNames: modelNames(env),
    fallbackModels: listOf(flags.text("fallback-model")),
    thinking: thinkingOf(flags, env),
    maxReplyTokens: wholeNumber(env.CLAUDE_CODE_MAX_OUTPUT_TOKENS) || undefined,
    effort: EFFORTS.find((level) => level === flags.text("effort")),
    betas: flags.list("betas").flatMap(listOf),
    taskBudget: numberOf(flags, "task-budget", 1),
    systemPrompt: textOf(flags, "system-prompt", "system-prompt-file", cwd),
    appendSystemPrompt: textOf(flags, "append-system-prompt", "append-system-prompt-file", cwd),
    maxTurns: limitOf(flags),
    maxBudgetUsd: budgetOf(flags),
    jsonSchema: flags.text("json-schema") || undefined,
    partialMessages: flags.has("include-partial-messages"),
    replayPrompts: flags.has("replay-user-messages"),
    stateEvents: isOn(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS)
      ? "all"
      : isOn(env.CLAUDE_CODE_SDK_READS_SESSION_STATE)
        ? "host_only"
        : "none",
    // Who types is the host, and can be asked.
    hasHost: (asks === "stdio" || flags.has("repl")) && prompts !== "none",
    promptTool: asks === "stdio" || prompts === "none" ? undefined : asks || undefined,
    maxRetries: wholeNumber(env.CLAUDE_CODE_MAX_RETRIES) ?? 10,
    toolSummaries: isOn(env.CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES),
    checkpointing: isOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
    tolerant: flags.has("tolerant"),
    policyComesLater: flags.has("managed-settings-in-initialize"),
    talks: flags.text("input-format") === "stream-json" || flags.has("stdio") || flags.has("dialect"),
    database: databaseOf(flags, cwd),
    consolidateAfter: numberOf(flags, "consolidate-after", 0) ?? 10_000,
    delegatesAside:
      !isOn(env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS) && !flags.has("stdio") && !flags.has("db"),
  });
}

/** How hard a model thinks is a wish: one that nobody understands is no reason to do nothing. */
function ignoredIn(flags: Flags): readonly string[] {
  const effort = flags.text("effort");
  if (!effort || EFFORTS.some((level) => level === effort)) return [];
  return [`--effort ${effort}: choose one of ${EFFORTS.join(", ")}`];
}

/** None, or less than one, is no limit. */
function limitOf(flags: Flags): number | undefined {
  const limit = numberOf(flags, "max-turns", Number.NEGATIVE_INFINITY);
  return limit !== undefined && limit > 0 ? limit : undefined;
}

function budgetOf(flags: Flags): number | undefined {
  const budget = numberOf(flags, "max-budget-usd", 0);
  if (budget === 0) throw new UsageError("--max-budget-usd 0: give a number above 0");
  return budget;
}

/** The modes that keep their sessions in a database even if none is named. */
const DATABASE_MODES: readonly FlagName[] = ["stdio", "repl", "inspect", "dump", "compact", "db"];

/** How sessions that are files are chosen. */
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

const isOn = (value: string | undefined) =>
  value !== undefined && value !== "" && value !== "0" && value !== "false";

const listOf = (text = "") =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

const SOURCES: readonly string[] = ["user", "project", "local"];

function sourcesOf(flags: Flags): ReadonlySet<string> {
  const given = flags.text("setting-sources");
  const chosen = listOf(given);
  const unknown = chosen.find((name) => !SOURCES.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--setting-sources ${unknown}: choose from ${SOURCES.join(", ")}`);
  return new Set(given === undefined ? SOURCES : chosen);
}

function cwdOf(flags: Flags, startedIn: string): string {
  const given = flags.text("cwd");
  const folder = resolve(startedIn, given ?? ".");
  if (given !== undefined && !isFolder(folder)) throw new UsageError(`--cwd ${given}: no such folder`);
  return folder;
}

function thinkingOf(flags: Flags, env: Config["env"]): Thinking | undefined {
  const budget = numberOf(flags, "max-thinking-tokens", 0) ?? wholeNumber(env.MAX_THINKING_TOKENS);
  const kind = choice(flags, "thinking", ["adaptive", "enabled", "disabled"]);
  const shown = choice(flags, "thinking-display", DISPLAYS);
  // Highlights are how a host shows thinking; the provider knows only the other two.
  const display = shown === undefined || shown === "highlights" ? {} : { display: shown };
  if (kind === "disabled" || budget === 0) return { type: "disabled" };
  if (budget !== undefined) return { type: "enabled", budget_tokens: budget, ...display };
  return kind === undefined && shown === undefined ? undefined : { type: "adaptive", ...display };
}
