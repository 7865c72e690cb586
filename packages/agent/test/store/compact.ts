import { randomUUID } from "node:crypto";
import { boundaryEntry, SUMMARY_LINE } from "../../src/compact/boundary.ts";
import type { Writer } from "./writer.ts";

/** Writes a compaction that keeps some lines and summarizes the rest. */
export function compact(writer: Writer, keptUuids: readonly string[], lastUuid?: string): void {
  const summaryUuid = randomUUID();
  const compaction = { trigger: "auto", preTokens: 9, durationMs: 1, summaryUuid, keptUuids } as const;
  writer.transcript.note(
    boundaryEntry(compaction, { uuid: randomUUID(), timestamp: new Date().toISOString(), lastUuid }),
  );
  writer.user("SUMMARY", SUMMARY_LINE, summaryUuid);
}
