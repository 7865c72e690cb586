import { EventEmitter, on } from "node:events";
import { HealthStatus } from "@agentwire/api";
import type { Store } from "../store/store.ts";
import type { StoreError } from "../store/store-error.ts";

/** The health of the daemon, as reported by its parts. */
export class Health {
  readonly #changes = new EventEmitter();
  #store: StoreError | undefined;
  #reads: StoreError | undefined;
  #isStopping = false;
  #isDegraded = false;

  constructor() {
    // Every client may watch.
    this.#changes.setMaxListeners(0);
  }

  get status(): HealthStatus {
    if (!this.isServing) return HealthStatus.NOT_SERVING;
    return this.#isDegraded ? HealthStatus.SERVING_DEGRADED : HealthStatus.SERVING;
  }

  get isServing(): boolean {
    return this.store === undefined && !this.#isStopping;
  }

  /** What is wrong with the store, if anything is. */
  get store(): StoreError | undefined {
    return this.#store ?? this.#reads;
  }

  /** Tracks whether the last write to a store and the last read from it succeeded. */
  follow(store: Store): void {
    this.#wrote(store.illness);
    store.onHealth = (error) => this.#wrote(error);
    store.onRead = (error) => this.#read(error?.code === "io" ? error : undefined);
  }

  degraded(isDegraded: boolean): void {
    if (this.#isDegraded === isDegraded) return;
    this.#isDegraded = isDegraded;
    this.#changes.emit("change");
  }

  stopping(): void {
    this.#isStopping = true;
    this.#changes.emit("change");
  }

  #wrote(error: StoreError | undefined): void {
    this.#store = error;
    this.#changes.emit("change");
  }

  #read(error: StoreError | undefined): void {
    if (this.#reads === error) return;
    this.#reads = error;
    this.#changes.emit("change");
  }

  /** Yields at every change until the signal fires. */
  async *changes(signal: AbortSignal): AsyncGenerator<void> {
    try {
      for await (const _ of on(this.#changes, "change", { signal })) yield;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
