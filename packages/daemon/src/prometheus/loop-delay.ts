import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;
/** Measuring stops after this time without a reading. */
const UNASKED_MS = 5 * 60_000;
const NANO = 1e9;

/** The delay of the event loop since the last reading; measured only while it is read, because measuring wakes the process up. */
export class LoopDelay {
  #histogram: IntervalHistogram | undefined;
  #ending: NodeJS.Timeout | undefined;

  /** In seconds, by quantile; empty at the first reading. */
  look(): readonly (readonly [quantile: string, seconds: number])[] {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.stop(), UNASKED_MS).unref();
    const histogram = this.#histogram;
    if (!histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#histogram.enable();
      return [];
    }
    const late = (ns: number) => Math.max(0, ns / NANO - RESOLUTION_MS / 1000);
    const seen = [
      ["0.5", late(histogram.percentile(50))],
      ["0.99", late(histogram.percentile(99))],
      ["1", late(histogram.max)],
    ] as const;
    histogram.reset();
    return seen;
  }

  stop(): void {
    clearTimeout(this.#ending);
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}
