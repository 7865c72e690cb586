import type { RunningDaemon } from "@agentwire/daemon";

/** A daemon that fails more often in a minute is not one that goes on. */
const MAX_IN_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/**
 * Takes what no boundary has caught. What was acknowledged is on disk, and an end would break off the turns of every session for
 * the fault of one: so it is logged and counted, and the daemon goes on. One that fails again and again is stopped as if asked to.
 */
export function takeLastResort({ daemon }: RunningDaemon, stop: () => void): void {
  let failures: readonly number[] = [];
  const failed = (error: unknown) => {
    const now = performance.now();
    failures = [...failures.filter((at) => now - at < MINUTE_MS), now];
    daemon.report("nothing known", error);
    if (failures.length > MAX_IN_A_MINUTE) stop();
  };
  process.on("uncaughtException", failed).on("unhandledRejection", failed);
}
