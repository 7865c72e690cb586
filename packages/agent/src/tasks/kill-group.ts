import { setTimeout as delay } from "node:timers/promises";
import { hasLivingMember } from "./group-members.ts";

const FIRST_STEP_MS = 5;
const LONGEST_STEP_MS = 50;
const DEATH_MS = 200;

/** Whether a process group still has members; one that is dead but not yet reaped counts. */
export function isGroupAlive(group: number): boolean {
  return signalGroup(group, 0);
}

/** Ends a process group: asks first, and kills what is still there after the grace. Resolves when it is gone. */
export async function killGroup(group: number, graceMs = 1000): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return;
  if (await isGoneWithin(group, graceMs)) return;
  signalGroup(group, "SIGKILL");
  await isGoneWithin(group, DEATH_MS);
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  let step = FIRST_STEP_MS;
  while (isGroupAlive(group) && hasLivingMember(group)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(step, left));
    step = Math.min(step * 2, LONGEST_STEP_MS);
  }
  return true;
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would mean our own group and every process there is.
  if (!Number.isSafeInteger(group) || group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}
