import { setTimeout } from "node:timers/promises";

/** Waits; rejects with the signal's own reason as soon as it fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
