import { ProcessGroups } from "@agentwire/local/process";

// One set, one guard and one exit handler for all the agents of this process, and none while there is no agent.
const live = new ProcessGroups();

/** Sees to it that a process group ends with this process, however this process ends. */
export function endWithUs(group: number): void {
  if (live.size === 0) process.on("exit", endAll);
  live.add(group);
}

/** The group is gone: its number may soon be reused. */
export function forgetGroup(group: number): void {
  if (!live.forget(group) || live.size > 0) return;
  process.off("exit", endAll);
  live.release();
}

function endAll(): void {
  // There is no time to wait here: the guard looks after those that do not listen.
  live.signal("SIGTERM");
}
