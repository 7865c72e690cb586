import { isStoreInUse } from "@agentwire/daemon/store";
import type { DaemonLocation } from "./location.ts";
import { isAlive, readRunFile } from "./run-file.ts";

/** The process of a daemon that runs but does not answer, because its socket file was removed or it hangs. */
export function unresponsiveProcess({ folder, runFile }: DaemonLocation): number | undefined {
  const pid = readRunFile(runFile)?.pid;
  // The process id may have been reused, but only a daemon uses the store.
  return pid !== undefined && isAlive(pid) && isStoreInUse(folder) ? pid : undefined;
}
