import { readFile } from "node:fs/promises";

/** One line that passed between host and agent, as recordings store it. */
export interface TranscriptLine {
  /** Milliseconds since the first process was started. */
  readonly t: number;
  /** Seen from the agent: `in` is its stdin. */
  readonly dir: "in" | "out";
  /** Which process of the scenario, where it is not the first. */
  readonly p?: number;
  /** The line was not JSON; `line` holds its text. */
  readonly raw?: true;
  /** The host closed stdin here. */
  readonly eof?: true;
  /** U+2028 or U+2029 stood in the line as they are: hosts that split on them would break it. */
  readonly unescaped?: true;
  readonly line: unknown;
}

/** Everything that passed between host and agent, in order. */
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
