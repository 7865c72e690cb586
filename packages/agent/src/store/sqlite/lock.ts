import { UsageError } from "../../config.ts";
import { createPrivate } from "./database.ts";
import { describeFailure, failureCode } from "./failure.ts";

/**
 * Makes this process the only one that answers the prompts of a database; throws a `UsageError` if another one does. Readers are
 * not kept out. The system gives the lock back however the process ends.
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  createPrivate(`${path}-lock`);
  const lock = new DatabaseSync(`${path}-lock`);
  try {
    // Says who holds it; a file that is never written to has no other use for this number.
    lock.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
    return { release: () => lock.close() };
  } catch (cause) {
    const holder = Object.values(lock.prepare("PRAGMA user_version").get() ?? {})[0];
    lock.close();
    const problem =
      failureCode(cause) === "SQLITE_BUSY"
        ? `process ${holder} answers for this database; end it first, or choose another file`
        : describeFailure(cause);
    throw new UsageError(`--db ${path}: ${problem}`, { cause });
  }
}
