import { spawn } from "node:child_process";
import {
  type HookEvent,
  type HookOutput,
  isJsonObject,
  type JsonObject,
  readHookOutput,
} from "@agentwire/protocol";
import type { HookAnswer } from "./merge.ts";

/** A hook that the settings give as a shell command. */
export interface CommandHook {
  readonly command: string;
  readonly timeoutMs: number;
}

/** What a hook's command printed and how it ended. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if it was killed. */
  readonly exitCode: number | undefined;
}

/** Output beyond this is not kept. */
const MAX_OUTPUT = 1_048_576;

/** Runs a hook's command with the event on its stdin; it and what it started end at the deadline or with the signal. */
export function runCommand(
  hook: CommandHook,
  input: JsonObject,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", hook.command], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: "pipe",
    });
    let stdout = "";
    let stderr = "";
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    };
    const timer = setTimeout(kill, hook.timeoutMs);
    options.signal.addEventListener("abort", kill, { once: true });
    const end = (exitCode: number | undefined) => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", kill);
      resolve({ stdout, stderr, exitCode });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (stdout.length < MAX_OUTPUT) stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < MAX_OUTPUT) stderr += text;
    });
    child.on("error", (error) => {
      stderr += error.message;
      end(undefined);
    });
    child.on("close", (code) => end(code ?? undefined));
    // A command that does not read its input is no mistake.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

/** Events whose plain output is text for the model. */
const TEXT_EVENTS: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "SessionStart"]);

/** Reads how a command ended as an answer: JSON on stdout, a plain text, or exit code 2 with an objection on stderr. */
export function readRun(event: HookEvent, run: CommandRun): HookAnswer {
  if (run.exitCode === 2) return { failure: run.stderr.trim() || "A hook objects.", blocks: true };
  if (run.exitCode !== 0) return { failure: run.stderr.trim() || "the hook failed", blocks: false };
  const said = parsed(run.stdout);
  if (said) {
    const read = readHookOutput(event, said);
    return read.ok ? { output: read.output } : { failure: read.reason, blocks: false };
  }
  const text = run.stdout.trim();
  const output =
    TEXT_EVENTS.has(event) && text !== ""
      ? { hookSpecificOutput: { hookEventName: event, additionalContext: text } }
      : {};
  return { output: output as HookOutput };
}

function parsed(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
