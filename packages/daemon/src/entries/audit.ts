/** Verifies that an audit log is unchanged since the daemon wrote it. */

export { storedEntry } from "../rpc/audit-entry.ts";
export { AuditCheck } from "../store/audit-hash.ts";
