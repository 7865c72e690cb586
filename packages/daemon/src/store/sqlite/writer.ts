import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StoreError } from "../store-error.ts";
import { WRITER_THREAD } from "../threads.ts";
import type { Batch, Failure, SqlWrite, WriterNews } from "./batch.ts";
import { openForWriting } from "./database.ts";
import { toStoreError } from "./sqlite-error.ts";
import { isPiece } from "./statements.ts";

/** How long a write may take before the store is reported as failing. */
const STALL_MS = 10_000;

interface Open {
  resolve(changes: readonly number[]): void;
  reject(error: StoreError): void;
}

/** Writes to the store from a separate thread, with batches of many sessions in one commit. */
export class Writer {
  readonly path: string;
  /** Called when the store starts failing, and with undefined when it has recovered. */
  onHealth: (error: StoreError | undefined) => void = () => {};
  /** Called with the duration of each commit in milliseconds. */
  onCommit: (ms: number) => void = () => {};
  readonly #thread: Worker | undefined;
  readonly #open = new Map<number, Open>();
  #lastId = 0;
  #isReady = false;
  #ended: StoreError | undefined;
  #ill: StoreError | undefined;
  /** The actions for the end of this turn of the event loop, and their writes for the thread. */
  #atTurnEnd: (() => void)[] = [];
  #gathered: Batch[] | undefined;
  /** When the thread last responded, or got work after being idle. */
  #heard = 0;
  readonly #stalling = setInterval(() => this.#judge(), STALL_MS / 10).unref();

  private constructor(path: string, thread?: Worker) {
    this.path = path;
    this.#thread = thread;
    thread?.on("message", (news: WriterNews) => this.#hear(news));
    thread?.on("error", (cause) => this.#end(toStoreError(cause, path)));
    thread?.on("exit", () => this.#end(new StoreError("closed", `${path} is closed`)));
  }

  /** Creates the store or brings it up to date, and starts the thread; throws a `StoreError`. */
  static async open(path: string): Promise<Writer> {
    // Done here, so that the original error is reported.
    openForWriting(path).close();
    const thread = new Worker(WRITER_THREAD, { workerData: { path } });
    const writer = new Writer(path, thread);
    while (!writer.#isReady) await once(thread, "message");
    return writer;
  }

  /** A writer for a store that can't be written: it rejects everything. */
  static failed(path: string, error: StoreError): Writer {
    const writer = new Writer(path);
    writer.fail(error);
    return writer;
  }

  /** The current problem of the store. */
  get illness(): StoreError | undefined {
    return this.#ended ?? this.#ill;
  }

  /** Why nothing more is written. */
  get failure(): StoreError | undefined {
    return this.#ended;
  }

  /** Rejects everything from now on. */
  fail(error: StoreError): void {
    if (this.#ended) return;
    this.#end(error);
    this.onHealth(error);
  }

  /** How many batches are waiting to be written. */
  get depth(): number {
    return this.#open.size;
  }

  /** Writes, or fails immediately: for requests that a client can retry. Resolves with the number of rows changed by each write. */
  write(writes: readonly SqlWrite[]): Promise<readonly number[]> {
    return this.#send(writes, false);
  }

  /**
   * Writes as soon as possible, however long the disk is full: for data that must not be lost. A chain of batches is written
   * without gaps: after one is rejected, so are all later ones.
   */
  keep(writes: readonly SqlWrite[], chain?: string): Promise<readonly number[]> {
    return this.#send(writes, true, chain);
  }

  /**
   * Runs, and must not throw, after all input of this turn of the event loop has been read. Its writes, from any number
   * of sessions, go to the thread as one message: a message costs more than its contents.
   */
  atTurnEnd(act: () => void): void {
    if (this.#atTurnEnd.push(act) === 1) setImmediate(() => this.#endTurn());
  }

  /** Finishes pending writes, then ends. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread || thread.threadId < 0) return;
    const exited = once(thread, "exit");
    thread.postMessage("close");
    await exited;
  }

  #send(writes: readonly SqlWrite[], patient: boolean, chain?: string): Promise<readonly number[]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const batch: Batch = { id: ++this.#lastId, writes, patient, isPieces: writes.every(isPiece), chain };
    if (this.#open.size === 0) this.#heard = performance.now();
    return new Promise((resolve, reject) => {
      this.#open.set(batch.id, { resolve, reject });
      if (this.#gathered) this.#gathered.push(batch);
      else this.#thread?.postMessage([batch]);
    });
  }

  #endTurn(): void {
    const acts = this.#atTurnEnd;
    const gathered: Batch[] = [];
    this.#atTurnEnd = [];
    this.#gathered = gathered;
    for (const act of acts) act();
    this.#gathered = undefined;
    if (gathered.length > 0) this.#thread?.postMessage(gathered);
  }

  #hear(news: WriterNews): void {
    this.#heard = performance.now();
    switch (news.type) {
      case "ready":
        this.#isReady = true;
        return;
      case "written":
        if (this.#ill) this.#fallIll(undefined);
        this.onCommit(news.ms);
        for (const { id, changes } of news.done) this.#take(id)?.resolve(changes);
        return;
      case "refused":
        this.#take(news.id)?.reject(errorOf(news.error));
        return;
      case "health":
        this.#fallIll(news.error && errorOf(news.error));
    }
  }

  #fallIll(error: StoreError | undefined): void {
    this.#ill = error;
    if (!this.#ended) this.onHealth(error);
  }

  /** A hanging disk reports no error: the silence of the thread shows it. */
  #judge(): void {
    const waitedMs = performance.now() - this.#heard;
    if (this.#open.size === 0 || this.#ill || this.#ended || waitedMs < STALL_MS) return;
    const seconds = Math.round(waitedMs / 1000);
    this.#fallIll(
      new StoreError("io", `${this.path}: the disk has not responded for ${seconds} s; check it`),
    );
  }

  #take(id: number): Open | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open;
  }

  #end(error: StoreError): void {
    clearInterval(this.#stalling);
    this.#ended ??= error;
    for (const { reject } of this.#open.values()) reject(this.#ended);
    this.#open.clear();
  }
}

const errorOf = ({ code, message }: Failure) => new StoreError(code, message);
