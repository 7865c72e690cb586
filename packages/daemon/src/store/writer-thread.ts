import { parentPort, workerData } from "node:worker_threads";
import { type Database, openForWriting } from "./database.ts";
import { toStoreError } from "./store-error.ts";
import type { Batch, Done, Failure, WriterNews } from "./write.ts";

/** How long a full or locked store is left alone before the next try. */
const RETRY_MS = 500;

/** The one thread that writes: everything that has come while a commit ran goes into the next one. */
class WriterThread {
  readonly #db: Database;
  readonly #tell: (news: WriterNews) => void;
  /** Why each chain that was broken can't be gone on with. */
  readonly #broken = new Map<string, Failure>();
  #waiting: Batch[] = [];
  #scheduled = false;
  #isIll = false;

  constructor(path: string, tell: (news: WriterNews) => void) {
    this.#db = openForWriting(path);
    this.#tell = tell;
    tell({ type: "ready" });
  }

  add(batch: Batch): void {
    if (this.#isBroken(batch)) return;
    this.#waiting.push(batch);
    this.#schedule();
  }

  close(): void {
    if (this.#waiting.length > 0) this.#commit();
    try {
      // Leaves one file that has everything, for whoever copies it.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {}
    this.#db.close();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const commit = () => {
      this.#scheduled = false;
      this.#commit();
    };
    if (this.#isIll) setTimeout(commit, RETRY_MS);
    else setImmediate(commit);
  }

  #commit(): void {
    const batches = this.#waiting;
    this.#waiting = [];
    if (this.#tryAll(batches) === undefined) return;
    // One of them is at fault, or all of them: each shows by itself.
    for (const batch of batches) this.#alone(batch);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Refuses a batch that would come after a hole. */
  #isBroken({ id, chain }: Batch): boolean {
    const error = chain === undefined ? undefined : this.#broken.get(chain);
    if (error) this.#tell({ type: "refused", id, error });
    return error !== undefined;
  }

  #alone(batch: Batch): void {
    if (this.#isBroken(batch)) return;
    // Order is kept: behind one that waits, the next one waits.
    if (batch.patient && this.#waiting.length > 0) {
      this.#waiting.push(batch);
      return;
    }
    const failure = this.#tryAll([batch]);
    if (failure === undefined) return;
    const { code } = failure;
    if (code !== "failed") this.#fallIll(failure);
    if (batch.patient && (code === "full" || code === "busy")) this.#waiting.push(batch);
    else this.#refuse(batch, failure);
  }

  #refuse({ id, chain }: Batch, error: Failure): void {
    if (chain !== undefined) this.#broken.set(chain, error);
    this.#tell({ type: "refused", id, error });
  }

  /** Writes them in one transaction; the reason if that fails, and then nothing has happened. */
  #tryAll(batches: readonly Batch[]): Failure | undefined {
    const began = performance.now();
    let done: readonly Done[];
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      done = batches.map(({ id, writes }) => ({
        id,
        changes: writes.map(({ sql, values }) => this.#db.statement(sql).run(...values)),
      }));
      this.#db.exec("COMMIT");
    } catch (cause) {
      this.#rollBack();
      const { code, message } = toStoreError(cause, this.#db.path);
      return { code, message };
    }
    if (this.#isIll) {
      this.#isIll = false;
      this.#tell({ type: "health", error: undefined });
    }
    this.#tell({ type: "written", done, ms: performance.now() - began });
    return undefined;
  }

  /** Some failures have rolled back already. */
  #rollBack(): void {
    try {
      this.#db.exec("ROLLBACK");
    } catch {}
  }

  #fallIll(error: Failure): void {
    if (this.#isIll) return;
    this.#isIll = true;
    this.#tell({ type: "health", error });
  }
}

if (parentPort) {
  const port = parentPort;
  const thread = new WriterThread((workerData as { path: string }).path, (news) => port.postMessage(news));
  port.on("message", (message: Batch | "close") => {
    if (message !== "close") {
      thread.add(message);
      return;
    }
    thread.close();
    port.close();
  });
}
