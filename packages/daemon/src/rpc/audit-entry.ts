import type { AuditEntry } from "@agentwire/api";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { AuditEntry as StoredEntry } from "../store/audit-log.ts";

/** Converts a stored entry of the audit log for clients. */
export const toEntry = ({ seq, timeMs, position = seq, ...rest }: StoredEntry) => ({
  seq: BigInt(seq),
  position: BigInt(position),
  time: timestampFromMs(timeMs),
  ...rest,
});

/** Converts an entry back to its stored form, which `AuditCheck` verifies. */
export const storedEntry = ({
  seq,
  time,
  kind,
  actor,
  action,
  subject,
  detail,
  hash,
}: AuditEntry): StoredEntry => ({
  seq: Number(seq),
  timeMs: time ? timestampMs(time) : 0,
  kind,
  actor,
  action,
  subject,
  detail,
  hash,
});
