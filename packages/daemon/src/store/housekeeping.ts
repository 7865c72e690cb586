import type { Log } from "@agentwire/protocol";
import type { Retention } from "./retention.ts";

/** A start has other things to do, but a daemon that is started every day would never come to it otherwise. */
const FIRST_MS = 60_000;

/** Clears away from time to time, beside whatever else goes on. */
export class Housekeeping {
  readonly #retention: Retention;
  readonly #log: Log;
  readonly #everyMs: number;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(retention: Retention, log: Log, everyMs: number) {
    this.#retention = retention;
    this.#log = log;
    this.#everyMs = everyMs;
    this.#later(Math.min(everyMs, FIRST_MS));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  #later(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => this.#later(this.#everyMs));
    }, ms);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    try {
      await this.#retention.run(Date.now(), this.#stopping.signal);
    } catch (error) {
      this.#log.warn("old events could not be cleared away; this is tried again later", { error });
    }
  }
}
