/** After this long without drawing, a pause for garbage collection goes unnoticed. */
const QUIET_MS = 1500;
/** Memory growth since the last collection that justifies another. */
const WORTH_BYTES = 24 * 1024 * 1024;

/**
 * Returns memory to the system after a burst of text. V8 keeps several times the live size and collects only when more is allocated,
 * but a screen may stay idle all day.
 */
export class SpareMemory {
  readonly #timer = setTimeout(() => void this.#release(), QUIET_MS).unref();
  #restingBytes = process.memoryUsage.rss();
  #isReleasing = false;

  /** Restarts the wait, because something was drawn. */
  postpone(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #release(): Promise<void> {
    if (this.#isReleasing || process.memoryUsage.rss() < this.#restingBytes + WORTH_BYTES) return;
    this.#isReleasing = true;
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    try {
      await session.post("HeapProfiler.collectGarbage");
    } finally {
      session.disconnect();
      this.#isReleasing = false;
    }
    this.#restingBytes = process.memoryUsage.rss();
  }
}
