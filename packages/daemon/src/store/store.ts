import { type Log, within } from "@agentwire/protocol";
import { type Database, emptyDatabase, openForReading } from "./database.ts";
import { checkStore } from "./maintenance.ts";
import { type StoreError, toStoreError } from "./store-error.ts";
import { Writer } from "./writer.ts";

/** An open store: what writes and what reads. */
export interface Store {
  readonly writer: Writer;
  readonly db: Database;
  /** Resolves to what is wrong with the file; nothing is written to it from then on. */
  readonly checked: Promise<StoreError | undefined>;
  close(): Promise<void>;
}

/** How long a start waits for the check of a large store before it goes on beside it. */
const CHECK_MS = 2000;

/**
 * Opens a store and looks for damage. A damaged one is opened all the same, for reading what can be read: its writer refuses
 * everything and says why. Throws a `StoreError` for whatever else is wrong.
 */
export async function openStore(path: string, log: Log): Promise<Store> {
  const writer = await Writer.open(path).catch((error: StoreError) => {
    if (error.code === "corrupt") return Writer.failed(path, error);
    throw error;
  });
  const db = readable(path);
  const checked = (writer.failure ? Promise.resolve(writer.failure) : checkStore(path)).then((error) => {
    if (!error) return undefined;
    log.error(error.message, { cause: error.cause });
    writer.fail(error);
    return error;
  });
  await within(CHECK_MS, async () => {
    await checked;
  });
  return {
    writer,
    db,
    checked,
    async close() {
      await writer.close();
      await checked;
      db.close();
    },
  };
}

/** The file where its tables can be read, else nothing at all. */
function readable(path: string): Database {
  const db = openForReading(path);
  try {
    for (const sql of ["SELECT count(*) FROM sessions", "SELECT count(*) FROM rules"])
      db.statement(sql).get();
    return db;
  } catch (cause) {
    db.close();
    const error = toStoreError(cause, path);
    if (error.code === "corrupt") return emptyDatabase(path);
    throw error;
  }
}
