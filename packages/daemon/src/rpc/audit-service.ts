import type { AuditService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { toEntry } from "./audit-entry.ts";

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/** Reads the audit log. */
export function auditService({ store }: Daemon): ServiceImpl<typeof AuditService> {
  return {
    async listAuditEntries({ fromSeq, backwards, pageSize, kind }) {
      const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
      const entries = await store.audit.page({ from: Number(fromSeq), backwards, kind, limit: limit + 1 });
      return {
        entries: entries.slice(0, limit).map(toEntry),
        more: entries.length > limit,
        lastSeq: BigInt(await store.audit.lastSeq()),
      };
    },
  };
}
