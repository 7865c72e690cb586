import { appendFileSync } from "node:fs";
import { BadLine, type Line } from "@agentwire/protocol";
import { printTranscript, type TranscriptLine } from "../transcript.ts";

/** Writes every line into a file at once, as recordings are stored: an agent that is killed leaves all it heard. */
export function lineLog(file: string): (dir: "in" | "out", text: Line | undefined) => void {
  const startedAt = performance.now();
  return (dir, text) => {
    const t = Math.round((performance.now() - startedAt) * 10) / 10;
    appendFileSync(file, printTranscript([{ t, dir, ...entryOf(text) }]));
  };
}

function entryOf(text: Line | undefined): Pick<TranscriptLine, "line" | "raw" | "eof"> {
  if (text === undefined) return { eof: true, line: null };
  if (text instanceof BadLine) return { raw: true, line: text.head };
  try {
    return { line: JSON.parse(text) };
  } catch {
    return { raw: true, line: text };
  }
}
