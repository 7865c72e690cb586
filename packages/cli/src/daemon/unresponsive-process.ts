import { isStoreInUse } from "@agentwire/daemon/store";
import type { DaemonLocation } from "./location.ts";
import { isAlive, readRunFile } from "./run-file.ts";

/** The process of a daemon that runs and does not answer: its socket file was removed, or it is held up. */
export function unresponsiveProcess({ folder, runFile }: DaemonLocation): number | undefined {
  const pid = readRunFile(runFile)?.pid;
  // A process of that number may be another one by now, but only a daemon uses the store.
  return pid !== undefined && isAlive(pid) && isStoreInUse(folder) ? pid : undefined;
}
