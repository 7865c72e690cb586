import { join } from "node:path";
import type { RawLine } from "../raw-lines.ts";
import { type Database, openForWriting } from "../sqlite/database.ts";
import { rawLog } from "../sqlite/logs.ts";
import type { RawLog } from "../store.ts";
import type { Write } from "../write.ts";

/**
 * The lines that agents of this node wrote, in a separate local file: no other node needs them, and they would be a large part of the
 * traffic to the server. The file is created with the first line. Nothing depends on a line: one that can't be stored is dropped.
 */
export class NodeLines {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #db: Database | undefined;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#path = join(folder, "lines.db");
    this.#onError = onError;
  }

  /** Executes the writes that concern lines. */
  take(writes: readonly Write[]): void {
    for (const write of writes)
      switch (write.type) {
        case "keepLine":
          this.#run(KEEP, write.sessionId, write.seq, Buffer.from(write.line));
          break;
        case "dropLines":
        case "prune":
          this.#run(DROP, write.sessionId, write.upTo);
          break;
        case "clearSession":
          this.#run(DROP, write.sessionId, Number.MAX_SAFE_INTEGER);
      }
  }

  /** Reads the lines; `older` are those stored on the server by daemons from before this file existed. */
  log(older: RawLog): RawLog {
    const ours = () => rawLog(this.#open());
    return {
      // A page may end early, so nothing counts that is behind the end of either.
      async after(...place) {
        const pages = [await older.after(...place), await ours().after(...place)];
        const end = Math.min(...pages.map((page) => page.at(-1)?.seq ?? Number.POSITIVE_INFINITY));
        return inOrder(pages.flat().filter(({ seq }) => seq <= end)).slice(0, place[2]);
      },
      async before(...place) {
        const pages = [await older.before(...place), await ours().before(...place)];
        const end = Math.max(...pages.map(([first]) => first?.seq ?? 0));
        return inOrder(pages.flat().filter(({ seq }) => seq >= end)).slice(-place[2]);
      },
      sizes: async (sessionId) => [...(await older.sizes(sessionId)), ...(await ours().sizes(sessionId))],
    };
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #run(sql: string, ...values: (string | number | Uint8Array)[]): void {
    try {
      this.#open()
        .statement(sql)
        .run(...values);
    } catch (error) {
      this.#onError(error);
    }
  }

  #open(): Database {
    if (this.#db) return this.#db;
    const db = openForWriting(this.#path);
    // Lines are only for diagnosis: no commit waits for the disk.
    db.exec("PRAGMA synchronous = OFF");
    this.#db = db;
    return db;
  }
}

const inOrder = (lines: readonly RawLine[]) => [...lines].sort((one, other) => one.seq - other.seq);

const KEEP = "INSERT OR REPLACE INTO raw_lines (session_id, seq, line) VALUES (?, ?, ?)";
const DROP = "DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?";
