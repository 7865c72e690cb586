import { expandRuns } from "./compare/texts.ts";
import { mapTexts } from "./json-path.ts";
import type { Theme } from "./scenarios/scenario.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** The version of the official agent that the scenarios were recorded with. */
export const RECORDED_AGENT = "claude-2.1.325";

/** The folder of its recordings, one file per scenario. */
export const RECORDINGS = new URL(`../../../test/transcripts/${RECORDED_AGENT}/`, import.meta.url);

/** Reads the recording of a scenario, with shortened texts expanded again. */
export async function readRecording(name: string, folder: URL = RECORDINGS): Promise<Transcript> {
  const transcript = await readTranscript(new URL(`${name}.jsonl`, folder));
  return transcript.map((entry) => ({ ...entry, line: mapTexts(entry.line, expandRuns) }));
}

/** The recordings of all these scenarios, by name. */
export async function readRecordings(themes: readonly Theme[]): Promise<ReadonlyMap<string, Transcript>> {
  const names = themes.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
  return new Map(await Promise.all(names.map(async (name) => [name, await readRecording(name)] as const)));
}
