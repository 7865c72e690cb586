import { statSync } from "node:fs";

/** A database whose files were taken away while it was in use. */
export class DatabaseReplaced extends Error {
  readonly code = "DATABASE_GONE";

  constructor(path: string, fate: "deleted" | "replaced") {
    super(`${path} was ${fate} while the agent was using it; put it back, or restart the agent`);
  }
}

/**
 * Returns a check that throws `DatabaseGone` when the files of an open database are not those that it was opened with: what is
 * written to a deleted file is lost with the process, and a deleted lock does not exclude anyone.
 */
export function replacementCheck(file: string): () => void {
  const known = new Map<string, string>();
  const check = () => {
    for (const path of [file, `${file}-wal`, `${file}-lock`]) {
      const now = identityOf(path);
      const before = known.get(path);
      // The lock comes later, if at all.
      if (before === undefined && now !== undefined) known.set(path, now);
      else if (now !== before) throw new DatabaseReplaced(path, now === undefined ? "deleted" : "replaced");
    }
  };
  check();
  return check;
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
