import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathReplacer } from "./compare/paths.ts";
import { collapseRuns } from "./compare/texts.ts";
import { mapTexts } from "./json-path.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import { printTranscript } from "./transcript.ts";

/**
 * Stores the transcript of a scenario as a recording: without paths of this machine, and with long runs of a character shortened.
 */
export async function keepTranscript(
  folder: string,
  name: string,
  { transcript, stderr, folders }: ScenarioRun,
): Promise<void> {
  const replace = pathReplacer(folders);
  const stored = (text: string) => collapseRuns(replace(text));
  const lines = transcript.map((entry) => ({ ...entry, line: mapTexts(entry.line, stored) }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.jsonl`), printTranscript(lines));
  if (stderr !== "") await writeFile(join(folder, `${name}.stderr.txt`), replace(stderr));
}
