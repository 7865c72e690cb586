import type { AuditEntry } from "@agentwire/api";
import type { Client } from "../talk/client.ts";

const PAGE = 1000;

/** A page of the audit log, with the last number that was ever given. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly lastSeq: bigint;
}

/** The whole log, the oldest entries first. */
export async function* auditPages({ audit }: Client, kind: string): AsyncGenerator<AuditPage> {
  for (let fromSeq = 0n; ; ) {
    const { entries, more, lastSeq } = await audit.listAuditEntries({ fromSeq, kind, pageSize: PAGE });
    yield { entries, lastSeq };
    const last = entries.at(-1);
    if (!more || !last) return;
    fromSeq = last.seq;
  }
}
