import { readFile } from "node:fs/promises";

/** One line between host and agent, in the format of recordings. */
export interface TranscriptLine {
  /** Milliseconds since the first process was started. */
  readonly t: number;
  /** Seen from the agent: `in` is its stdin. */
  readonly dir: "in" | "out";
  /** The number of the process in the scenario, unless it is the first. */
  readonly p?: number;
  /** The line was not JSON; `line` holds its text. */
  readonly raw?: true;
  /** The host closed stdin here. */
  readonly eof?: true;
  /** The line contained U+2028 or U+2029 unescaped, and hosts that split lines at these would break it. */
  readonly unescaped?: true;
  readonly line: unknown;
}

/** All lines between host and agent, in order. */
export type Transcript = readonly TranscriptLine[];

/** Reads a stored transcript. */
export async function readTranscript(file: string | URL): Promise<Transcript> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TranscriptLine);
}

/** Prints a transcript as it is stored: one JSON object per line. */
export function printTranscript(transcript: Transcript): string {
  return transcript.map((line) => `${JSON.stringify(line)}\n`).join("");
}
