import { writeFile } from "node:fs/promises";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { printJunit } from "../junit.ts";
import { print } from "../print.ts";
import { jsonReport, junitCase, printTable } from "../report.ts";
import type { ScenarioScore } from "../score.ts";

/** The formats in which to report a score. */
export interface Forms {
  readonly json: boolean;
  /** The file of the JUnit report. */
  readonly junit?: string | undefined;
}

/** Reports the score of an agent or a host; `subject` heads the JSON report. Resolves to the exit code. */
export async function reportScore(
  scored: "agent" | "host",
  subject: object,
  outcomes: readonly ScenarioScore[],
  { json, junit }: Forms,
): Promise<number> {
  if (junit !== undefined) await writeFile(junit, printJunit(scored, outcomes.map(junitCase)));
  print(json ? jsonReport(subject, outcomes) : `\n${printTable(outcomes)}`);
  return outcomes.some(({ verdict }) => verdict === "mismatch") ? EXIT_CODES.turnFailed : EXIT_CODES.done;
}
