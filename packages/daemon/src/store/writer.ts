import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { openForWriting } from "./database.ts";
import { StoreError, toStoreError } from "./store-error.ts";
import type { Batch, Failure, Write, WriterNews } from "./write.ts";

/** The compiled thread: threads can't be started from sources. */
const THREAD = new URL("../../dist/store/writer-thread.js", import.meta.url);

interface Open {
  resolve(changes: readonly number[]): void;
  reject(error: StoreError): void;
}

/** Writes to the store from a thread of its own, many writers' batches in one commit. */
export class Writer {
  readonly path: string;
  /** Called when the store falls ill, and with undefined when it has recovered. */
  onHealth: (error: StoreError | undefined) => void = () => {};
  /** Called with how long a commit has taken, in milliseconds. */
  onCommit: (ms: number) => void = () => {};
  readonly #thread: Worker | undefined;
  readonly #open = new Map<number, Open>();
  #lastId = 0;
  #ended: StoreError | undefined;

  private constructor(path: string, thread?: Worker) {
    this.path = path;
    this.#thread = thread;
    thread?.on("message", (news: WriterNews) => this.#hear(news));
    thread?.on("error", (cause) => this.#end(toStoreError(cause, path)));
    thread?.on("exit", () => this.#end(new StoreError("closed", `${path} is closed`)));
  }

  /** Creates the store or brings it up to date, and starts the thread; throws a `StoreError`. */
  static async open(path: string): Promise<Writer> {
    // Here, so that whatever is wrong is told as what it is.
    openForWriting(path).close();
    const thread = new Worker(THREAD, { workerData: { path } });
    const writer = new Writer(path, thread);
    await once(thread, "message");
    return writer;
  }

  /** A writer for a store that can't be written: it refuses everything. */
  static failed(path: string, error: StoreError): Writer {
    const writer = new Writer(path);
    writer.fail(error);
    return writer;
  }

  /** Why nothing is written any more. */
  get failure(): StoreError | undefined {
    return this.#ended;
  }

  /** Refuses everything from now on. */
  fail(error: StoreError): void {
    this.#end(error);
    this.onHealth(error);
  }

  /** How many batches are on their way to the disk. */
  get depth(): number {
    return this.#open.size;
  }

  /** Writes or fails at once: for what a client can be told to try again. Resolves to the rows changed by each write. */
  write(writes: readonly Write[]): Promise<readonly number[]> {
    return this.#send(writes, false);
  }

  /**
   * Writes as soon as it can, however long the disk is full: for what must not be lost. What belongs to one chain is written
   * without a hole: after a batch that was refused, all later ones are.
   */
  keep(writes: readonly Write[], chain?: string): Promise<readonly number[]> {
    return this.#send(writes, true, chain);
  }

  /** Writes what is on its way, then ends. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread || thread.threadId < 0) return;
    const exited = once(thread, "exit");
    thread.postMessage("close");
    await exited;
  }

  #send(writes: readonly Write[], patient: boolean, chain?: string): Promise<readonly number[]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const batch: Batch = { id: ++this.#lastId, writes, patient, chain };
    return new Promise((resolve, reject) => {
      this.#open.set(batch.id, { resolve, reject });
      this.#thread?.postMessage(batch);
    });
  }

  #hear(news: WriterNews): void {
    switch (news.type) {
      case "ready":
        return;
      case "written":
        this.onCommit(news.ms);
        for (const { id, changes } of news.done) this.#take(id)?.resolve(changes);
        return;
      case "refused":
        this.#take(news.id)?.reject(errorOf(news.error));
        return;
      case "health":
        this.onHealth(news.error && errorOf(news.error));
    }
  }

  #take(id: number): Open | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open;
  }

  #end(error: StoreError): void {
    this.#ended ??= error;
    for (const { reject } of this.#open.values()) reject(this.#ended);
    this.#open.clear();
  }
}

const errorOf = ({ code, message }: Failure) => new StoreError(code, message);
