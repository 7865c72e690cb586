import { setTimeout as delay } from "node:timers/promises";
import { hasLivingMember } from "./process-table.ts";
import { signalGroup } from "./signal-group.ts";

const GRACE_MS = 1000;
/** How long killed processes may take to disappear. */
const DEATH_MS = 200;
const FIRST_STEP_MS = 4;
const LONGEST_STEP_MS = 64;

/** Ends a process group: sends SIGTERM, then SIGKILL to whatever is left after the grace period. Resolves when the group is gone. */
export async function endGroup(group: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return;
  // A stopped process would not handle the signal.
  signalGroup(group, "SIGCONT");
  if (await isGoneWithin(group, graceMs)) return;
  signalGroup(group, "SIGKILL");
  await isGoneWithin(group, DEATH_MS);
}

/** Polls, because the system does not notify when a group becomes empty. */
async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  let step = FIRST_STEP_MS;
  while (hasLivingMember(group)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(step, left));
    step = Math.min(step * 2, LONGEST_STEP_MS);
  }
  return true;
}
