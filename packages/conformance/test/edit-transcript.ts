import type { Transcript, TranscriptLine } from "../src/transcript.ts";

/** A line of an agent, to be edited. */
export type Line = Record<string, unknown>;

/** Returns the transcript with a change to its agent lines. The original is not modified. */
export function changed(transcript: Transcript, change: (lines: Line[]) => Line[]): Transcript {
  const outs = structuredClone(
    transcript.filter(({ dir }) => dir === "out").map(({ line }) => line),
  ) as Line[];
  const ins = transcript.filter(({ dir }) => dir === "in");
  return [...ins, ...change(outs).map((line): TranscriptLine => ({ t: 0, dir: "out", line }))];
}

/** A predicate for lines of a type, and optionally of a subtype. */
export const is = (type: string, subtype?: string) => (line: Line) =>
  line.type === type && (subtype === undefined || line.subtype === subtype);

/** Edits the first matching line. */
export const edit = (wanted: (line: Line) => boolean, with_: (line: Line) => void) => (lines: Line[]) => {
  const line = lines.find(wanted);
  if (line === undefined) throw new Error("the recording has no such line");
  with_(line);
  return lines;
};

/** Removes the first matching line. */
export const without = (wanted: (line: Line) => boolean) => (lines: Line[]) => {
  const index = lines.findIndex(wanted);
  if (index < 0) throw new Error("the recording has no such line");
  return lines.toSpliced(index, 1);
};

/** Sets the value at a path. */
export const set = (...path: readonly (string | number)[]) => {
  return (value: unknown) => (line: Line) => {
    let target = line as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) target = target[key] as typeof target;
    target[path.at(-1) ?? ""] = value;
  };
};

/** The API event in a line. */
export function eventOf(line: Line): Line {
  return (line.event ?? {}) as Line;
}

/** Whether a line is a delta of a block. */
export function isDelta(line: Line): boolean {
  return eventOf(line).type === "content_block_delta";
}
