import { statSync } from "node:fs";
import { type Log, within } from "@agentwire/protocol/support";
import type { Store } from "../store.ts";
import type { StoreError } from "../store-error.ts";
import { auditLog, budgetsIn, rulesIn, tokensIn } from "./books.ts";
import { copyEvents } from "./copy-events.ts";
import { type Database, emptyDatabase, openForReading } from "./database.ts";
import { lockStore } from "./lock.ts";
import { eventLog, rawLog } from "./logs.ts";
import { checkStore, copyStore } from "./maintenance.ts";
import { storedPrompts } from "./prompts.ts";
import { storedQuestions } from "./questions.ts";
import { searchIndex } from "./search-index.ts";
import { storedSessions } from "./sessions.ts";
import { toStoreError } from "./sqlite-error.ts";
import { statementsOf } from "./statements.ts";
import { storedUsage } from "./usage.ts";
import { Writer } from "./writer.ts";

/** How long a start waits for the check of a large store before the check continues in the background. */
const CHECK_MS = 2000;

/**
 * Opens a file that no other daemon uses, and checks it for damage. A damaged file is opened as well, to read what can be read, but
 * rejects every write with the reason. Throws a `StoreError` for anything else that is wrong.
 */
export async function openSqliteStore(path: string, log: Log): Promise<Store> {
  const unlock = lockStore(path);
  try {
    const writer = await Writer.open(path).catch((error: StoreError) => {
      if (error.code === "corrupt") return Writer.failed(path, error);
      throw error;
    });
    const db = readable(path, writer.failure !== undefined);
    const checking = check(path, writer, log);
    await within(CHECK_MS, async () => {
      await checking;
    });
    return sqliteStore(writer, db, async () => {
      await writer.close();
      await checking;
      db.close();
      unlock();
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates a store from the writer and the reader of a file. */
export function sqliteStore(writer: Writer, db: Database, close: () => Promise<void>): Store {
  const { path } = writer;
  return {
    place: path,
    sessions: storedSessions(db),
    events: eventLog(db),
    lines: rawLog(db),
    prompts: storedPrompts(db),
    questions: storedQuestions(db),
    usage: storedUsage(db),
    audit: auditLog(db),
    search: searchIndex(db),
    rules: async () => rulesIn(db),
    tokens: async () => tokensIn(db),
    budgets: async () => budgetsIn(db),
    write: (writes) => writer.write(statementsOf(writes)),
    keep: (writes, chain) => writer.keep(statementsOf(writes), chain),
    atTurnEnd: (act) => writer.atTurnEnd(act),
    copyHistory: (from, to, before) => copyEvents(db, writer, from, to, before),
    backUp: (target) => copyStore(path, target),
    get illness() {
      return writer.illness;
    },
    get failure() {
      return writer.failure;
    },
    get depth() {
      return writer.depth;
    },
    get sizeBytes() {
      return sizeOf(path) + sizeOf(`${path}-wal`);
    },
    set onHealth(told: Store["onHealth"]) {
      writer.onHealth = told;
    },
    set onCommit(told: Store["onCommit"]) {
      writer.onCommit = told;
    },
    set onRead(told: Store["onRead"]) {
      db.onUse = (error) => {
        // A store that a read finds damaged is no longer written to.
        if (error?.code === "corrupt") writer.fail(error);
        told(error);
      };
    },
    close,
  };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

async function check(path: string, writer: Writer, log: Log): Promise<void> {
  const error = writer.failure ?? (await checkStore(path));
  if (!error) return;
  log.error(error.message, { cause: error.cause });
  // A failed check says nothing about the file.
  if (error.code === "corrupt") writer.fail(error);
}

/** The file if its tables can be read, otherwise an empty database. */
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
