import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Sends a signal to every process of a group; false if there is none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would mean our own group and every process there is.
  if (!Number.isSafeInteger(group) || group <= 1) return false;
  try {
    process.kill(process.platform === "win32" ? group : -group, signal);
    return true;
  } catch {
    return false;
  }
}

const FIRST_STEP_MS = 4;
const LONGEST_STEP_MS = 64;

/** Ends what an agent has left behind in its group: asks first, and kills what is still there after the grace. */
export async function clearGroup(group: number, graceMs: number): Promise<void> {
  if (!signalGroup(group, "SIGTERM")) return;
  signalGroup(group, "SIGCONT");
  const deadline = performance.now() + graceMs;
  // The system tells nobody when a group has become empty: one has to look.
  for (let step = FIRST_STEP_MS; hasLivingMember(group); step = Math.min(2 * step, LONGEST_STEP_MS)) {
    if (performance.now() >= deadline) {
      signalGroup(group, "SIGKILL");
      return;
    }
    await delay(step);
  }
}

/** Whether somebody in the group still runs; a dead process that nobody has reaped does not count where one can tell. */
function hasLivingMember(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLivingMember(name, group));
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state parent group …`, and the name may hold anything.
    const [state = "", , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3);
    return Number(ofGroup) === group && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
