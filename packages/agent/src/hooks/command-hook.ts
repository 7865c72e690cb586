import { spawn } from "node:child_process";
import { type ProcessGroups, signalGroup } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";
import { type HookEvent, type HookOutput, readHookOutput } from "@agentwire/protocol/hooks";
import { MAX_TIMER_MS, parseJsonObject } from "@agentwire/protocol/support";
import type { Entered } from "../sandbox/entrance.ts";
import { announced, RUNNING } from "../tools/bash/command.ts";
import { type CommandOutput, reportOutput } from "./command-output.ts";
import type { HookAnswer } from "./merge.ts";

/** A hook that the settings define as a shell command. */
export interface CommandHook {
  readonly command: string;
  readonly timeoutMs: number;
  /** Whether it runs without anything waiting for it. */
  readonly isAsync: boolean;
}

/** The output of a hook's command, and how it ended. */
export interface CommandRun extends CommandOutput {
  /** Undefined if it was killed. */
  readonly exitCode: number | undefined;
}

/** Where a hook's command runs. */
export interface CommandContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly groups: ProcessGroups;
  readonly signal: AbortSignal;
  /** The sandbox it runs in, if any. */
  readonly entered?: Entered | undefined;
  /** Called with everything printed so far whenever a long-running command has printed more. */
  readonly onProgress?: (printed: CommandOutput) => void;
}

/** Output beyond this is dropped. */
const MAX_OUTPUT = 1_048_576;

/**
 * Runs a hook's command with the event on its stdin; its whole process group is killed at the deadline or on the signal. A command
 * that declares itself asynchronous on its first line continues in the background. Never rejects.
 */
export function runCommand(hook: CommandHook, input: JsonObject, place: CommandContext): Promise<CommandRun> {
  return new Promise((resolve) => {
    const { groups, signal, cwd, env, entered } = place;
    const child = spawn("/bin/sh", ["-c", announced(entered?.script ?? RUNNING, 3), "hook", hook.command], {
      cwd,
      env: { ...env, ...entered?.env },
      detached: true,
      stdio: ["pipe", "pipe", "pipe", groups.prepare()],
    });
    if (child.pid !== undefined) groups.add(child.pid);
    let stdout = "";
    let stderr = "";
    const kill = () => void signalGroup(child.pid, "SIGKILL");
    let timer = setTimeout(kill, Math.min(hook.timeoutMs, MAX_TIMER_MS));
    // An asynchronous hook must not keep the process alive.
    if (hook.isAsync) timer.unref();
    if (!hook.isAsync) signal.addEventListener("abort", kill, { once: true });
    const stopFollowing = place.onProgress && reportOutput(() => ({ stdout, stderr }), place.onProgress);
    const end = (exitCode: number | undefined) => {
      clearTimeout(timer);
      stopFollowing?.();
      signal.removeEventListener("abort", kill);
      groups.sweep();
      entered?.leave();
      resolve({ stdout, stderr, exitCode });
    };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (stdout.length >= MAX_OUTPUT) return;
      stdout += text;
      const later = asyncAnswer(stdout);
      if (!later) return;
      if (typeof later.asyncTimeout === "number" && later.asyncTimeout > 0) {
        clearTimeout(timer);
        timer = setTimeout(kill, Math.min(later.asyncTimeout, MAX_TIMER_MS)).unref();
      }
      signal.removeEventListener("abort", kill);
      stopFollowing?.();
      resolve({ stdout, stderr, exitCode: 0 });
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < MAX_OUTPUT) stderr += text;
    });
    child.on("error", (error) => {
      stderr += error.message;
      end(undefined);
    });
    child.on("close", (code) => end(code ?? undefined));
    // A command is free to ignore its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(input)}\n`);
    if (signal.aborted && !hook.isAsync) kill();
  });
}

/** The first line of output, if it declares the command asynchronous. */
function asyncAnswer(stdout: string): JsonObject | undefined {
  const end = stdout.indexOf("\n");
  // Only a short first line can be that answer; a longer one would be parsed again with every chunk.
  if (end < 0 || end > 200 || !stdout.startsWith("{")) return undefined;
  const said = parsedAnswer(stdout.slice(0, end));
  return said?.async === true ? said : undefined;
}

/** Events for which plain output is passed to the model. */
const TEXT_EVENTS: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "SessionStart"]);

/** Converts the end of a command to an answer: JSON or plain text on stdout, or exit code 2 with an objection on stderr. */
export function readRun(event: HookEvent, run: CommandRun): HookAnswer {
  if (run.exitCode === 2) return { failure: run.stderr.trim() || "A hook blocked this.", blocks: true };
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
  // A command that creates a worktree prints its path on the last line.
  if (event === "WorktreeCreate")
    return { hookSpecificOutput: { hookEventName: event, worktreePath: text.split("\n").at(-1) } };
  return TEXT_EVENTS.has(event)
    ? { hookSpecificOutput: { hookEventName: event, additionalContext: text } }
    : {};
}

/** The text parsed as a JSON object; undefined if it is not one. */
function parsedAnswer(text: string): JsonObject | undefined {
  return text.trimStart().startsWith("{") ? parseJsonObject(text) : undefined;
}
