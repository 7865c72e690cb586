import { readFileSync } from "node:fs";
import { literalValue, readShell } from "@agentwire/protocol/shell";
import type { ToolOutcome } from "../tool.ts";
import { type Captured, cutText, type ImageOutput, MAX_OUTPUT_BYTES } from "./output-files.ts";
import type { CommandEnd } from "./supervise.ts";

const PREVIEW_CHARS = 2000;
const MEGABYTE = 1024 * 1024;

/** A command that has ended, with its output. */
export interface FinishedCommand {
  readonly command: string;
  readonly timeoutMs: number;
  readonly end: CommandEnd;
  /** The output on stdout and stderr. */
  readonly output: Captured;
  readonly image: ImageOutput | undefined;
  /** The file that stores an output too long for the conversation. */
  readonly kept: { readonly path: string; readonly bytes: number } | undefined;
  /** What the model should know besides the output. */
  readonly notes: readonly string[];
  /** The accesses that the sandbox denied. */
  readonly denied: readonly string[];
  /** It ran outside the sandbox because the model asked for that. */
  readonly isOut: boolean;
}

/** The outcome of a finished command, for the model and for the host. */
export function outcomeOf(finished: FinishedCommand): ToolOutcome {
  const { command, end, image, kept, denied, isOut } = finished;
  const violations = ["<sandbox_violations>", ...denied, "</sandbox_violations>"];
  const notes = [...finished.notes, ...(denied.length > 0 ? violations : [])];
  const remedy = denied.length > 0 && { remedy: { kind: "sandbox_violation" } };
  const meaning = end.cause === "exit" ? meaningOfExit(command, end.code) : undefined;
  const problems = meaning === undefined ? problemsOf(finished) : [];
  const around = (body: string) => [...problems, body, ...notes].filter((text) => text !== "").join("\n");
  const content = around(problems.length > 0 ? cutBody(finished) : bodyOf(finished));
  const whole = kept && { whole: () => around(allOf(finished, kept.path)) };
  const data = {
    stdout: image?.url ?? finished.output.text,
    stderr: notes.join("\n"),
    interrupted: end.cause !== "exit",
    isImage: image !== undefined,
    noOutputExpected: expectsNoOutput(command),
    ...(meaning !== undefined && { returnCodeInterpretation: meaning }),
    ...(end.cause === "timeout" && { timedOutAfterMs: finished.timeoutMs }),
    ...(kept && { persistedOutputPath: kept.path, persistedOutputSize: kept.bytes }),
    ...(isOut && { dangerouslyDisableSandbox: true }),
  };
  if (problems.length > 0) {
    // For a plain failure the host gets a string, which can't include the time limit.
    return { content, ...whole, isError: true, ...remedy, ...(end.cause === "timeout" && { data }) };
  }
  if (image) return { content: [image.block], ...remedy, data };
  return { content: content || "(Bash completed with no output)", ...whole, ...remedy, data };
}

function problemsOf({ end, timeoutMs }: FinishedCommand): readonly string[] {
  const code = end.code === 0 ? [] : [`Exit code ${end.code}`];
  switch (end.cause) {
    case "exit":
      return code;
    case "timeout":
      return [...code, `Command timed out after ${timeoutMs / 1000}s`];
    case "flood":
      return [
        ...code,
        `The command was stopped because it printed more than ${MAX_OUTPUT_BYTES / MEGABYTE} MB.`,
      ];
    case "stop":
    case "interrupt":
      return [...code, "The command was stopped."];
  }
}

/** The output of a failed command: as much as fits into the conversation, because the reason is often far from its start. */
function cutBody({ output, kept, image }: FinishedCommand): string {
  if (image) return "";
  return kept
    ? `${output.text}\n... (${size(kept.bytes)} in all. Full output saved to: ${kept.path})`
    : output.text;
}

function bodyOf({ output, kept, image }: FinishedCommand): string {
  if (image) return "";
  if (!kept) return output.text;
  return [
    "<persisted-output>",
    `Output too large (${size(kept.bytes)}). Full output saved to: ${kept.path}`,
    "",
    "Preview (first 2KB):",
    preview(output.text),
    "...",
    "</persisted-output>",
  ].join("\n");
}

function allOf(finished: FinishedCommand, path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd();
  } catch {
    // The command may have removed it.
    return bodyOf(finished);
  }
}

/** The start of an output, cut at the end of a line if possible. */
function preview(text: string): string {
  const start = cutText(text, PREVIEW_CHARS);
  const end = start.lastIndexOf("\n");
  return end > PREVIEW_CHARS / 2 ? start.slice(0, end) : start;
}

function size(bytes: number): string {
  const [count, unit] = bytes < MEGABYTE ? [bytes / 1024, "KB"] : [bytes / MEGABYTE, "MB"];
  return `${count.toFixed(1).replace(".0", "")}${unit}`;
}

const MEANING_OF_1 = new Map([
  ["grep", "No matches found"],
  ["egrep", "No matches found"],
  ["fgrep", "No matches found"],
  ["rg", "No matches found"],
  ["diff", "Files differ"],
  ["cmp", "Files differ"],
  ["find", "Some folders could not be read"],
  ["test", "The condition is false"],
  ["[", "The condition is false"],
]);

/** The meaning of an exit code that is an answer and not a failure, such as that of a `grep` without matches. */
function meaningOfExit(command: string, code: number): string | undefined {
  if (code !== 1) return undefined;
  const reading = readShell(command);
  if (!reading.ok) return undefined;
  // A list or pipeline has the exit code of its last part, unless it ended before that.
  const [program] = reading.parts.at(-1)?.words ?? [];
  return program && MEANING_OF_1.get(literalValue(program.text) ?? "");
}

const QUIET = new Set(
  "touch mkdir rmdir rm mv cp ln chmod chown chgrp cd export unset set wait truncate install".split(" "),
);

/** Whether a command prints nothing on success, so that missing output means nothing. */
function expectsNoOutput(command: string): boolean {
  const reading = readShell(command);
  return (
    reading.ok && reading.parts.every(({ words }) => QUIET.has(literalValue(words[0]?.text ?? "") ?? ""))
  );
}
