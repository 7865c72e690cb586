/** Nothing was drawn for this time: a pause to tidy up in will not be noticed. */
const QUIET_MS = 1500;
/** What has come on top since the last time is worth such a pause. */
const WORTH_BYTES = 24 * 1024 * 1024;

/**
 * Gives the system back what a burst of text has left behind. V8 keeps several times what is alive after it, and would only
 * tidy up when more comes; a screen may stand beside its session all day.
 */
export class SpareMemory {
  readonly #timer = setTimeout(() => void this.#release(), QUIET_MS).unref();
  #restingBytes = process.memoryUsage.rss();
  #isReleasing = false;

  /** Something was drawn. */
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
