import type { Transcript, TranscriptLine } from "../src/transcript.ts";

/** A line of an agent, to be changed. */
export type Line = Record<string, unknown>;

/** Changes a copy of the lines that the agent wrote. */
export function changed(transcript: Transcript, change: (lines: Line[]) => Line[]): Transcript {
  const outs = structuredClone(
    transcript.filter(({ dir }) => dir === "out").map(({ line }) => line),
  ) as Line[];
  const ins = transcript.filter(({ dir }) => dir === "in");
  return [...ins, ...change(outs).map((line): TranscriptLine => ({ t: 0, dir: "out", line }))];
}

/** Tells lines of a type, and of a subtype, from others. */
export const is = (type: string, subtype?: string) => (line: Line) =>
  line.type === type && (subtype === undefined || line.subtype === subtype);

/** Changes the first line that is asked for. */
export const edit = (wanted: (line: Line) => boolean, with_: (line: Line) => void) => (lines: Line[]) => {
  const line = lines.find(wanted);
  if (line === undefined) throw new Error("the recording has no such line");
  with_(line);
  return lines;
};

/** Leaves out the first line that is asked for. */
export const without = (wanted: (line: Line) => boolean) => (lines: Line[]) => {
  const index = lines.findIndex(wanted);
  if (index < 0) throw new Error("the recording has no such line");
  return lines.toSpliced(index, 1);
};

/** Puts a value at the end of a path. */
export const set = (...path: readonly (string | number)[]) => {
  return (value: unknown) => (line: Line) => {
    let target = line as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) target = target[key] as typeof target;
    target[path.at(-1) ?? ""] = value;
  };
};

/** The event of the API that a line passes on. */
export function eventOf(line: Line): Line {
  return (line.event ?? {}) as Line;
}

/** Tells whether a line is a piece of a block. */
export function isDelta(line: Line): boolean {
  return eventOf(line).type === "content_block_delta";
}
