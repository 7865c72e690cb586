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

/** The groups of all that a process has started, directly or not: only Linux tells, and only while it lives. */
export function groupsBelow(pid: number): readonly number[] {
  const all = processes();
  const family = new Set([pid]);
  // A child may have a smaller number than its parent: go on until nobody is added.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid: child, parent } of all) if (family.has(parent)) family.add(child);
  }
  const groups = all.filter((process) => family.has(process.pid) && process.group !== pid);
  return [...new Set(groups.map(({ group }) => group))];
}

/** Whether somebody in the group still runs; a dead process that nobody has reaped does not count where one can tell. */
export function hasLivingMember(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  const members = processes().filter((process) => process.group === group);
  return members.length === 0 || members.some(({ isAlive }) => isAlive);
}

/** Where the start time stands among what follows the name. */
const START_TIME = 19;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly isAlive: boolean;
  /** When it was started, in ticks since the system was. */
  readonly startedAt: string;
}

function processes(): readonly ProcessEntry[] {
  return pids().flatMap(processEntry);
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** What the system tells of a process, if it is there. */
export function processEntry(pid: number): readonly ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state parent group …`, and the name may hold anything.
    const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ", START_TIME + 1);
    const [state = "", parent, group] = facts;
    const isAlive = state !== "Z" && state !== "X";
    return [
      { pid, parent: Number(parent), group: Number(group), isAlive, startedAt: facts[START_TIME] ?? "" },
    ];
  } catch {
    return [];
  }
}
