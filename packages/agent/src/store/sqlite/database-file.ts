import { readFileSync, realpathSync, statSync } from "node:fs";
import { UsageError } from "../../usage-error.ts";

/**
 * The path of a database behind all symbolic links. SQLite's log and our lock are in files next to the database that are named
 * after it, so a file with two names would have two sets of them: throws a `UsageError` for such a file.
 */
export function canonicalPath(file: string): string {
  const path = realpathSync(file);
  if (statSync(path).nlink > 1)
    throw new UsageError(
      `--db ${path}: the file has more than one name (hard links), which would corrupt the database; keep one of them, or copy the file`,
    );
  if (mountPoints().has(path))
    throw new UsageError(
      `--db ${path}: the file is mounted by itself, without the files that belong next to it; mount its folder instead`,
    );
  return path;
}

/** The mount points of the system; empty if unknown. */
function mountPoints(): ReadonlySet<string> {
  let table: string;
  try {
    table = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return new Set();
  }
  const paths = table.split("\n").map((line) => line.split(" ")[4] ?? "");
  return new Set(paths.map((path) => path.replace(/\\([0-7]{3})/g, (_, code) => fromOctal(code))));
}

const fromOctal = (code: string) => String.fromCharCode(Number.parseInt(code, 8));

/** The error for a database whose files were deleted or replaced while in use. */
class DatabaseReplaced extends Error {
  readonly code = "DATABASE_GONE";

  constructor(path: string, fate: "deleted" | "replaced") {
    super(`${path} was ${fate} while the agent was using it; put it back, or restart the agent`);
  }
}

/**
 * Returns a check that throws `DatabaseReplaced` if the files of an open database are no longer those that it was opened with:
 * data written to a deleted file is lost with the process, and a deleted lock excludes no one.
 */
export function replacementCheck(file: string): () => void {
  const known = new Map<string, string>();
  const check = () => {
    for (const path of [file, `${file}-wal`, `${file}-lock`]) {
      const now = identityOf(path);
      const before = known.get(path);
      // The lock file is created later, if at all.
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
