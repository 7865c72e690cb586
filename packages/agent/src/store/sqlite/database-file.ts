import { readFileSync, realpathSync, statSync } from "node:fs";
import { UsageError } from "../../usage-error.ts";

/**
 * The path of a database behind all symbolic links. SQLite keeps the newest changes, and we the lock, in files beside the
 * database that are named after it, so a file with a second name would have a second set of them: throws a `UsageError`.
 */
export function canonicalPath(file: string): string {
  const path = realpathSync(file);
  if (statSync(path).nlink > 1)
    throw new UsageError(
      `--db ${path}: the file has more than one name (hard links), which would damage it; keep one of them, or copy the file`,
    );
  if (mountPoints().has(path))
    throw new UsageError(
      `--db ${path}: the file is mounted by itself, without the files that belong beside it; mount its folder instead`,
    );
  return path;
}

/** Where something is mounted; nothing where the system does not tell. */
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

/** A database whose files were taken away while it was in use. */
class DatabaseReplaced extends Error {
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
