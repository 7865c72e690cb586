import { setTimeout as delay } from "node:timers/promises";
import { hasLivingMember } from "./process-table.ts";
import { signalGroup } from "./signal-group.ts";

const GRACE_MS = 1000;
/** How long what was killed may take to go. */
const DEATH_MS = 200;
const FIRST_STEP_MS = 4;
const LONGEST_STEP_MS = 64;

/** Ends a process group: asks first, and kills what is still there after the grace. Resolves when it is gone. */
export async function endGroup(group: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return;
  // One that was stopped could not even hear it.
  signalGroup(group, "SIGCONT");
  if (await isGoneWithin(group, graceMs)) return;
  signalGroup(group, "SIGKILL");
  await isGoneWithin(group, DEATH_MS);
}

/** The system does not notify when a group becomes empty, so it is polled. */
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
