import type { Database } from "../store/sqlite/database.ts";

/** How long a lease holds without being renewed; longer than any single step of a consolidation may take. */
const LEASE_MS = 300_000;

/** Takes or renews the right to consolidate; false if another process has it that still lives. */
export function takeLease(db: Database): boolean {
  return db.transaction(() => {
    const held = db.statement("SELECT pid, expires_at FROM memory_lease").get();
    const pid = Number(held?.pid);
    if (held && pid !== process.pid && Number(held.expires_at) > Date.now() && isAlive(pid)) return false;
    db.statement("INSERT OR REPLACE INTO memory_lease (id, pid, expires_at) VALUES (1, ?, ?)").run(
      process.pid,
      Date.now() + LEASE_MS,
    );
    return true;
  });
}

/** Gives the right back. */
export function endLease(db: Database): void {
  db.statement("DELETE FROM memory_lease WHERE pid = ?").run(process.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One that we may not signal is there all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
