import { takeLock } from "@agentwire/local/sqlite";
import { UsageError } from "../../usage-error.ts";
import { describeFailure } from "./failure.ts";

/**
 * Makes this process the only one that answers the prompts of a database; throws a `UsageError` if another one does. Readers are
 * not locked out. The system releases the lock however the process ends.
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const file = `${path}-lock`;
  try {
    const locking = takeLock(DatabaseSync, file, { holder: process.pid });
    if (locking.state === "held") return locking;
    throw locking.state === "busy"
      ? new UsageError(
          `--db ${path}: process ${locking.holder} is using this database; stop it first, or choose another file`,
          { cause: locking.cause },
        )
      : new Error(`${file} is needed as a lock file, but belongs to another program; move or remove it`);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--db ${path}: ${describeFailure(cause)}`, { cause });
  }
}
