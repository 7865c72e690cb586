import { expandRuns } from "./compare/texts.ts";
import { mapTexts } from "./json-path.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** The official agent of which these scenarios were recorded. */
export const RECORDED_AGENT = "claude-2.1.325";

/** Where its recordings are, one file for each scenario. */
export const RECORDINGS = new URL(`../../../test/transcripts/${RECORDED_AGENT}/`, import.meta.url);

/** Reads the recording of a scenario, whole again where it was shortened for storage. */
export async function readRecording(name: string, folder: URL = RECORDINGS): Promise<Transcript> {
  const transcript = await readTranscript(new URL(`${name}.jsonl`, folder));
  return transcript.map((entry) => ({ ...entry, line: mapTexts(entry.line, expandRuns) }));
}
