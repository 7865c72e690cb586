import type { Thinking } from "../model/model.ts";
import { type ModelNames, modelNames } from "../model/model-names.ts";
import { wholeNumber } from "./flag-values.ts";
import type { Flags } from "./flags.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of the configuration that depends on the environment; settings files may change it. */
export interface EnvironmentConfig {
  readonly env: Environment;
  /** How requests to the Messages API are authenticated, and where they are sent. */
  readonly credentials: {
    readonly apiKey: string | undefined;
    readonly authToken: string | undefined;
    readonly baseUrl: string | undefined;
  };
  readonly model: string | undefined;
  /** The models that short names refer to. */
  readonly modelNames: ModelNames;
  readonly thinking: Thinking | undefined;
  /** The token limit of a reply; undefined for the model's own. */
  readonly maxReplyTokens: number | undefined;
  readonly maxRetries: number;
  /** Whether `session_state_changed` is sent: never, to anyone, or for the host's own use. */
  readonly stateEvents: "none" | "all" | "host_only";
  /** Whether a small model summarizes what the tools of each step did. */
  readonly toolSummaries: boolean;
  /** Whether the output of a running command is sent to the host. */
  readonly tellsOutput: boolean;
  /** The memory limit of a session that shares a process. */
  readonly sessionMemoryBytes: number;
  readonly checkpointing: boolean;
  /** Whether subagents run in the background unless the model chooses to wait; false if the host's dialect has no such tasks. */
  readonly backgroundSubagents: boolean;
  /** How deep subagents may be nested; the session's own subagents are at depth 1. */
  readonly maxSubagentDepth: number;
  /** Whether subagents report progress in their own words when the host asks for it. */
  readonly progressSummaries: boolean;
  /** Whether MCP tools may be omitted from requests until the model searches for them. */
  readonly toolSearch: boolean;
  /** Whether the next prompt is suggested; undefined if the settings decide. */
  readonly guessesPrompts: boolean | undefined;
  /** How long a session without prompts waits for background work; 0 for no limit. */
  readonly backgroundWaitMs: number;
  readonly mcpConnectTimeoutMs: number | undefined;
  readonly mcpToolTimeoutMs: number | undefined;
  /** The program that started the session, as recorded in transcripts. */
  readonly entrypoint: string | undefined;
}

const BACKGROUND_WAIT_MS = 600_000;
const MAX_SUBAGENT_DEPTH = 3;
/** Four times the largest request that the Messages API accepts, doubled for the stored conversation and the last request. */
const SESSION_MEMORY_MB = 256;

/** Reads the environment; a flag with the same meaning takes precedence. */
export function readEnvironment(env: Environment, flags: Flags): EnvironmentConfig {
  return {
    env,
    credentials: {
      apiKey: env.ANTHROPIC_API_KEY || undefined,
      authToken: env.ANTHROPIC_AUTH_TOKEN || undefined,
      baseUrl: env.ANTHROPIC_BASE_URL || undefined,
    },
    model: flags.text("model") || env.ANTHROPIC_MODEL || undefined,
    modelNames: modelNames(env),
    thinking: thinkingOf(flags, env),
    maxReplyTokens: wholeNumber(env.CLAUDE_CODE_MAX_OUTPUT_TOKENS) || undefined,
    maxRetries: wholeNumber(env.CLAUDE_CODE_MAX_RETRIES) ?? 10,
    stateEvents: isOn(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS)
      ? "all"
      : isOn(env.CLAUDE_CODE_SDK_READS_SESSION_STATE)
        ? "host_only"
        : "none",
    toolSummaries: isOn(env.CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES),
    tellsOutput: isOn(env.AGENTWIRE_TOOL_OUTPUT),
    sessionMemoryBytes: (wholeNumber(env.AGENTWIRE_SESSION_MEMORY_MB) || SESSION_MEMORY_MB) * 1024 * 1024,
    checkpointing: isOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
    backgroundSubagents:
      !isOn(env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS) && !flags.has("stdio") && !flags.has("db"),
    maxSubagentDepth: wholeNumber(env.CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH) ?? MAX_SUBAGENT_DEPTH,
    progressSummaries: !env.CLAUDE_CODE_DISABLE_AGENT_PROGRESS_SUMMARIES,
    toolSearch: env.ENABLE_TOOL_SEARCH !== "false",
    guessesPrompts: guessesOf(env.CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION),
    backgroundWaitMs: waitOf(env.CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS),
    mcpConnectTimeoutMs: timeoutOf(env.MCP_TIMEOUT),
    mcpToolTimeoutMs: timeoutOf(env.MCP_TOOL_TIMEOUT),
    entrypoint: env.CLAUDE_CODE_ENTRYPOINT || undefined,
  };
}

/** Whether a variable turns something on. */
export const isOn = (value: string | undefined) =>
  value !== undefined && value !== "" && value !== "0" && value !== "false";

const guessesOf = (value: string | undefined) =>
  value === undefined ? undefined : value !== "false" && value !== "0";

function waitOf(value: string | undefined): number {
  const ms = Number(value ?? BACKGROUND_WAIT_MS);
  return ms >= 0 ? ms : BACKGROUND_WAIT_MS;
}

function timeoutOf(value: string | undefined): number | undefined {
  const ms = Number(value);
  return ms > 0 ? ms : undefined;
}

function thinkingOf(flags: Flags, env: Environment): Thinking | undefined {
  const budget = flags.value("max-thinking-tokens") ?? wholeNumber(env.MAX_THINKING_TOKENS);
  const kind = flags.value("thinking");
  const shown = flags.value("thinking-display");
  // `highlights` only affects how a host displays thinking; the provider supports the other two values.
  const display = shown === undefined || shown === "highlights" ? {} : { display: shown };
  if (kind === "disabled" || budget === 0) return { type: "disabled" };
  if (budget !== undefined) return { type: "enabled", budget_tokens: budget, ...display };
  return kind === undefined && shown === undefined ? undefined : { type: "adaptive", ...display };
}
