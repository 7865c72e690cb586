import { readFileSync } from "node:fs";

/**
 * The CPU time of this thread so far, in milliseconds. Tests bound this instead of elapsed time, which also grows while other processes
 * use the cores. Where the system does not report it (Linux does), the elapsed time.
 */
export function computingMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
