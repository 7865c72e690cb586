import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { type HookEvent, type HookOutput, readHookOutput } from "@agentwire/protocol/hooks";
import type { CommandRun } from "./command-hook.ts";
import type { HookAnswer } from "./merge.ts";

/** Events whose plain output is text for the model. */
const TEXT_EVENTS: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "SessionStart"]);

/** Reads how a command ended as an answer: JSON on stdout, a plain text, or exit code 2 with an objection on stderr. */
export function readRun(event: HookEvent, run: CommandRun): HookAnswer {
  if (run.exitCode === 2) return { failure: run.stderr.trim() || "A hook objects.", blocks: true };
  if (run.exitCode !== 0) return { failure: run.stderr.trim() || "the hook failed", blocks: false };
  const said = parsedAnswer(run.stdout) ?? parsedAnswer(run.stdout.split("\n", 1)[0] ?? "");
  if (said) {
    const read = readHookOutput(event, said);
    return read.ok ? { output: read.output } : { failure: read.reason, blocks: false };
  }
  return { output: plainOutput(event, run.stdout.trim()) as HookOutput };
}

function plainOutput(event: HookEvent, text: string): JsonObject {
  if (text === "") return {};
  // The command that makes a worktree prints where it is, last.
  if (event === "WorktreeCreate")
    return { hookSpecificOutput: { hookEventName: event, worktreePath: text.split("\n").at(-1) } };
  return TEXT_EVENTS.has(event)
    ? { hookSpecificOutput: { hookEventName: event, additionalContext: text } }
    : {};
}

/** The JSON object that a text holds; undefined if it is something else. */
export function parsedAnswer(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
