import { type Log, within } from "@agentwire/protocol/support";
import { type Database, emptyDatabase, openForReading } from "./database.ts";
import { checkStore } from "./maintenance.ts";
import { type StoreError, toStoreError } from "./store-error.ts";
import { Writer } from "./writer.ts";

/** An open store: what writes and what reads. */
export interface Store {
  readonly writer: Writer;
  readonly db: Database;
  close(): Promise<void>;
}

/** How long a start waits for the check of a large store before the check continues in the background. */
const CHECK_MS = 2000;

/**
 * Opens a store and looks for damage. A damaged one is opened all the same, for reading what can be read: its writer refuses
 * everything and says why. Throws a `StoreError` for any other problem.
 */
export async function openStore(path: string, log: Log): Promise<Store> {
  const writer = await Writer.open(path).catch((error: StoreError) => {
    if (error.code === "corrupt") return Writer.failed(path, error);
    throw error;
  });
  const db = readable(path, writer.failure !== undefined);
  const checking = check(path, writer, log);
  await within(CHECK_MS, async () => {
    await checking;
  });
  return {
    writer,
    db,
    async close() {
      await writer.close();
      await checking;
      db.close();
    },
  };
}

async function check(path: string, writer: Writer, log: Log): Promise<void> {
  const error = writer.failure ?? (await checkStore(path));
  if (!error) return;
  log.error(error.message, { cause: error.cause });
  // That it could not be looked at says nothing about the file.
  if (error.code === "corrupt") writer.fail(error);
}

/** The file where its tables can be read, else nothing at all. */
function readable(path: string, isDamaged: boolean): Database {
  const db = openForReading(path);
  try {
    for (const sql of ["SELECT count(*) FROM sessions", "SELECT count(*) FROM rules"])
      db.statement(sql).get();
    return db;
  } catch (cause) {
    db.close();
    const error = toStoreError(cause, path);
    if (isDamaged || error.code === "corrupt") return emptyDatabase(path);
    throw error;
  }
}
