import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PERMISSION_MODES } from "@agentwire/protocol";
import type { Flags } from "./flags.ts";
import type { Thinking } from "./model/model.ts";

/** What a process was asked to be: read once from the command line and the environment, then never looked up again. */
export interface Config {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** `$CLAUDE_CONFIG_DIR`, or `~/.claude`. */
  readonly configDir: string;
  readonly temporaryFolder: string;
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly thinking: Thinking | undefined;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  readonly jsonSchema: string | undefined;
  readonly partialMessages: boolean;
  readonly replayPrompts: boolean;
  /** Whether `session_state_changed` is sent: never, to anyone, or for the host's own use. */
  readonly stateEvents: "none" | "all" | "host_only";
  readonly hasHost: boolean;
  readonly maxRetries: number;
  readonly checkpointing: boolean;
  readonly tolerant: boolean;
}

/** A command line or environment that makes no sense; the text says what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the configuration; throws a `UsageError` for values that can't be meant. */
export function readConfig(flags: Flags, env: Config["env"], cwd: string): Config {
  const home = env.HOME ?? homedir();
  const mode = flags.text("permission-mode");
  if (mode !== undefined && ![...PERMISSION_MODES, "manual"].includes(mode)) {
    throw new UsageError(`--permission-mode ${mode}: choose one of ${PERMISSION_MODES.join(", ")}`);
  }
  return Object.freeze({
    flags,
    env,
    cwd: resolve(cwd),
    home,
    configDir: env.CLAUDE_CONFIG_DIR || join(home, ".claude"),
    temporaryFolder: env.CLAUDE_CODE_TMPDIR || tmpdir(),
    model: flags.text("model") || env.ANTHROPIC_MODEL || undefined,
    fallbackModel: flags.text("fallback-model") || undefined,
    thinking: thinkingOf(flags, env),
    maxTurns: numberOf(flags, "max-turns", 1),
    maxBudgetUsd: numberOf(flags, "max-budget-usd", 0),
    jsonSchema: flags.text("json-schema"),
    partialMessages: flags.has("include-partial-messages"),
    replayPrompts: flags.has("replay-user-messages"),
    stateEvents: isOn(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS)
      ? "all"
      : isOn(env.CLAUDE_CODE_SDK_READS_SESSION_STATE)
        ? "host_only"
        : "none",
    hasHost: flags.text("permission-prompt-tool") === "stdio" && flags.text("permission-prompts") !== "none",
    maxRetries: wholeNumber(env.CLAUDE_CODE_MAX_RETRIES) ?? 10,
    checkpointing: isOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
    tolerant: flags.has("tolerant"),
  });
}

const isOn = (value: string | undefined) =>
  value !== undefined && value !== "" && value !== "0" && value !== "false";

function wholeNumber(value: string | undefined): number | undefined {
  const parsed = Number(value);
  return value !== undefined && value !== "" && Number.isInteger(parsed) && parsed >= 0 ? parsed : undefined;
}

function numberOf(
  flags: Flags,
  name: "max-turns" | "max-budget-usd" | "max-thinking-tokens",
  least: number,
): number | undefined {
  const text = flags.text(name);
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least)
    throw new UsageError(`--${name} ${text}: give a number of at least ${least}`);
  return value;
}

function thinkingOf(flags: Flags, env: Config["env"]): Thinking | undefined {
  const budget = numberOf(flags, "max-thinking-tokens", 0) ?? wholeNumber(env.MAX_THINKING_TOKENS);
  const kind = flags.text("thinking");
  if (kind === "disabled" || budget === 0) return { type: "disabled" };
  if (budget !== undefined) return { type: "enabled", budget_tokens: budget };
  if (kind === "adaptive" || kind === "enabled") return { type: "adaptive" };
  if (kind !== undefined) throw new UsageError(`--thinking ${kind}: choose adaptive, enabled or disabled`);
  return undefined;
}
