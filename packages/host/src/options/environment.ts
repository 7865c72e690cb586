import type { Options } from "../sdk/options.ts";
import { SDK_VERSION } from "../sdk/sdk-version.ts";

/** The environment of a process: names to values. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment depends on besides the options. */
export interface EnvironmentContext {
  /** The environment of the host itself. */
  readonly inherited: Environment;
  /** Whether the host follows the progress of the startup. */
  readonly readsStartupMarks?: boolean;
}

/** Variables that an agent sets for a host that it started: a new agent that saw them would take itself for a nested one. */
const OF_AN_OUTER_AGENT = ["CLAUDECODE", "CLAUDE_CODE_SSE_PORT"];
/** Switches that only an option may turn on. */
const ONLY_BY_OPTION = [
  "CLAUDE_CODE_QUESTION_EXTENDED",
  "CLAUDE_CODE_QUESTION_OPTIONAL_DESCRIPTIONS",
  "CLAUDE_CODE_AGENT_PROGRESS_SUMMARIES",
];

/** The whole environment of the agent for a set of options. `env` replaces the host's own, as in the official SDK. */
export function environmentOf(options: Options, context: EnvironmentContext): Environment {
  const { inherited, readsStartupMarks = false } = context;
  const env: Record<string, string | undefined> = { ...(options.env ?? inherited) };
  if (!env.CLAUDE_CODE_ENTRYPOINT) env.CLAUDE_CODE_ENTRYPOINT = "sdk-ts";
  if (!env.CLAUDE_AGENT_SDK_VERSION) env.CLAUDE_AGENT_SDK_VERSION = SDK_VERSION;
  if (options.enableFileCheckpointing) env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING = "true";
  unlessSet(env, "CLAUDE_CODE_SDK_READS_SESSION_STATE");
  if (readsStartupMarks) unlessSet(env, "CLAUDE_CODE_SDK_READS_STARTUP_MARKS");
  const previewFormat = options.toolConfig?.askUserQuestion?.previewFormat;
  if (previewFormat) env.CLAUDE_CODE_QUESTION_PREVIEW_FORMAT = previewFormat;
  if (!options.env) for (const name of ONLY_BY_OPTION) remove(env, name);
  for (const name of OF_AN_OUTER_AGENT) if (env[name] === inherited[name]) delete env[name];
  // Options for the host's runtime are not meant for the agent's.
  delete env.NODE_OPTIONS;
  if (isTrue(env.DEBUG_CLAUDE_AGENT_SDK)) env.DEBUG = "1";
  else delete env.DEBUG;
  return env;
}

function unlessSet(env: Record<string, string | undefined>, name: string): void {
  if (!Object.keys(env).some((other) => other.toUpperCase() === name)) env[name] = "1";
}

function remove(env: Record<string, string | undefined>, name: string): void {
  // On Windows, names are not case-sensitive.
  for (const other of Object.keys(env)) if (other.toUpperCase() === name) delete env[other];
}

function isTrue(value: string | undefined): boolean {
  return ["1", "true", "yes", "on"].includes((value ?? "").trim().toLowerCase());
}
