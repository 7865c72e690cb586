import { parentPort, workerData } from "node:worker_threads";
import type { StoreError, StoreErrorCode } from "../store-error.ts";
import type { Batch, Done, Failure, WriterNews } from "./batch.ts";
import { type Database, openForWriting } from "./database.ts";
import { FileWatch } from "./file-watch.ts";
import { toStoreError } from "./sqlite-error.ts";

/** How long to wait before trying a full or locked store again. */
const RETRY_MS = 500;
/**
 * The time between commits for each batch in the previous one, and its maximum. A commit rewrites a page of the file for each session
 * in it, however little that session has written: with many sessions it is better to wait until there is more.
 */
const APART_MS_PER_BATCH = 0.25;
const APART_MS = 20;
/** How often the files are checked, and a failing store is tried again. */
const LOOK_MS = 1000;
/** A test write, to find out whether the store works again. */
const PROBE_BYTES = 65_536;
/** Errors that pass by themselves or after a repair: writes that must not be lost wait for that. */
const PASSING: ReadonlySet<StoreErrorCode> = new Set(["full", "busy", "gone"]);

/** The only thread that writes: everything that arrives during a commit goes into the next one. */
class WriterThread {
  readonly #db: Database;
  readonly #tell: (news: WriterNews) => void;
  readonly #files: FileWatch;
  readonly #looking: NodeJS.Timeout;
  /** Why each broken chain can't be continued. */
  readonly #broken = new Map<string, Failure>();
  #waiting: Batch[] = [];
  /** The next commit: at the end of this turn of the event loop, or after a pause. */
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  /** Deltas wait until then for more of them. */
  #apartUntil = 0;
  /** What is wrong with the store. */
  #illness: Failure | undefined;

  constructor(path: string, tell: (news: WriterNews) => void) {
    this.#db = openForWriting(path);
    this.#tell = tell;
    // The result of the last write has to be known from the start.
    this.#probe(0);
    this.#files = new FileWatch(path);
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    tell({ type: "ready" });
  }

  add(batch: Batch): void {
    if (this.#isBroken(batch)) return;
    this.#waiting.push(batch);
    this.#schedule(batch.isPieces);
  }

  close(): void {
    clearInterval(this.#looking);
    this.#commit();
    try {
      // Leaves one complete file for backups.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {}
    this.#db.close();
  }

  /** Batches of deltas wait for more; any other batch takes them along at once. */
  #schedule(isForPieces = false): void {
    if (this.#soon) return;
    const apartMs = isForPieces ? this.#apartUntil - performance.now() : 0;
    const delayMs = this.#illness ? RETRY_MS : apartMs;
    if (delayMs >= 1) this.#later ??= setTimeout(() => this.#commit(), delayMs);
    else this.#soon = setImmediate(() => this.#commit());
  }

  #commit(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    const batches = this.#waiting;
    this.#waiting = [];
    if (batches.length === 0) return;
    this.#apartUntil = performance.now() + Math.min(APART_MS, batches.length * APART_MS_PER_BATCH);
    if (this.#tryAll(batches) === undefined) return;
    // Either one of them is at fault, or all are: each is tried alone.
    for (const batch of batches) this.#alone(batch);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Rejects a batch that would follow a gap. */
  #isBroken({ id, chain }: Batch): boolean {
    const error = chain === undefined ? undefined : this.#broken.get(chain);
    if (error) this.#tell({ type: "refused", id, error });
    return error !== undefined;
  }

  #alone(batch: Batch): void {
    if (this.#isBroken(batch)) return;
    // Order is preserved: behind a batch that waits, the next one waits.
    if (batch.patient && this.#waiting.length > 0) {
      this.#waiting.push(batch);
      return;
    }
    const failure = this.#tryAll([batch]);
    if (failure === undefined) return;
    const { code } = failure;
    if (code !== "failed") this.#fallIll(failure);
    if (batch.patient && PASSING.has(code)) this.#waiting.push(batch);
    else this.#refuse(batch, failure);
  }

  #refuse({ id, chain }: Batch, error: Failure): void {
    if (chain !== undefined) this.#broken.set(chain, error);
    this.#tell({ type: "refused", id, error });
  }

  /** Writes batches in one transaction; returns the reason if that fails, in which case nothing was written. */
  #tryAll(batches: readonly Batch[]): Failure | undefined {
    const missing = this.#illness && this.#files.inspect();
    if (missing) return failureOf(missing);
    const began = performance.now();
    let done: readonly Done[] = [];
    const failure = this.#transact(() => {
      done = batches.map(({ id, writes }) => ({
        id,
        changes: writes.map(({ sql, values }) => this.#db.statement(sql).run(...values)),
      }));
    });
    if (failure) return failure;
    // Data in a deleted file is not stored.
    const lost = this.#files.look();
    if (lost) {
      this.#fallIll(failureOf(lost));
      for (const batch of batches) this.#refuse(batch, failureOf(lost));
      return undefined;
    }
    this.#recover();
    this.#tell({ type: "written", done, ms: performance.now() - began });
    return undefined;
  }

  #transact(write: () => void): Failure | undefined {
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      write();
      this.#db.exec("COMMIT");
      return undefined;
    } catch (cause) {
      this.#rollBack();
      return failureOf(toStoreError(cause, this.#db.path));
    }
  }

  /** Health is the result of the last write: while nothing is written because of it, try one. */
  #look(): void {
    const wrong = this.#files.inspect();
    if (wrong) this.#fallIll(failureOf(wrong));
    else if (this.#illness && this.#waiting.length === 0) this.#probe(PROBE_BYTES);
  }

  /** Writes a number of bytes and removes them again. */
  #probe(bytes: number): void {
    const insert = this.#db.statement("INSERT INTO probe (body) VALUES (zeroblob(?))");
    const clear = this.#db.statement("DELETE FROM probe");
    const failure = this.#transact(() => insert.run(bytes)) ?? this.#transact(() => clear.run());
    if (failure) this.#fallIll(failure);
    else this.#recover();
  }

  #recover(): void {
    if (!this.#illness) return;
    this.#illness = undefined;
    this.#tell({ type: "health", error: undefined });
  }

  /** Some failures have already rolled back. */
  #rollBack(): void {
    try {
      this.#db.exec("ROLLBACK");
    } catch {}
  }

  #fallIll(error: Failure): void {
    if (this.#illness?.message === error.message) return;
    this.#illness = error;
    this.#tell({ type: "health", error });
  }
}

const failureOf = ({ code, message }: StoreError): Failure => ({ code, message });

if (parentPort) {
  const port = parentPort;
  const thread = new WriterThread((workerData as { path: string }).path, (news) => port.postMessage(news));
  port.on("message", (message: readonly Batch[] | "close") => {
    if (message !== "close") {
      for (const batch of message) thread.add(batch);
      return;
    }
    thread.close();
    port.close();
  });
}
