import { readdirSync, readFileSync } from "node:fs";
import { signalGroup } from "./signal-group.ts";

/** The combined usage of a process and its descendants, as far as it can be determined. */
export interface FamilyUse {
  readonly processes: number;
  readonly memoryBytes: number;
  /** Of the running processes and of the children they have waited for. */
  readonly cpuSeconds: number;
}

/** Linux reports process times in this unit on all machines that Node supports. */
const TICKS_PER_SECOND = 100;
/** Offsets, among the fields after the name, of the times of a process and of the children it has waited for. */
const TIMES = [11, 15] as const;

/** Adds up the usage of a process and its descendants, examining about `max` processes at most. */
export function familyUse(pid: number, max: number): FamilyUse {
  const children = hasChildLists() ? childrenOf : parentsAndChildren();
  const family = descendants(pid, children, max);
  const sum = (of: (member: number) => number) => family.reduce((total, member) => total + of(member), 0);
  return { processes: family.length, memoryBytes: sum(memoryOf), cpuSeconds: sum(cpuOf) };
}

/** Private memory only: mapped programs and files are shared with other processes. */
function memoryOf(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function cpuOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  const times = stat.slice(stat.lastIndexOf(")") + 2).split(" ", TIMES[1]);
  return times.slice(TIMES[0]).reduce((total, ticks) => total + Number(ticks), 0) / TICKS_PER_SECOND;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A process and all its descendants. */
export function familyOf(pid: number): ReadonlySet<number> {
  return new Set(descendants(pid, hasChildLists() ? childrenOf : parentsAndChildren()));
}

/** The groups of all descendants of a process; known only on Linux, and only while the process lives. */
export function groupsBelow(pid: number): readonly number[] {
  const groups = [...familyOf(pid)].flatMap(processEntry).map(({ group }) => group);
  return [...new Set(groups.filter((group) => group !== pid))];
}

/** A process and all its descendants, given a lookup of children. */
function descendants(
  pid: number,
  children: (parent: number) => readonly number[],
  max = Number.POSITIVE_INFINITY,
): readonly number[] {
  const family = new Set([pid]);
  for (const member of family) {
    if (family.size > max) break;
    for (const child of children(member)) family.add(child);
  }
  return [...family];
}

/** The children of a process's threads; the cost does not depend on what else runs on the machine. */
function childrenOf(pid: number): readonly number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) => childList(pid, thread) ?? []);
}

function childList(pid: number, thread: number): readonly number[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return undefined;
  }
}

/** Kernels can be built without these lists. */
const hasChildLists = () => childList(process.pid, process.pid) !== undefined;

/** The same by scanning every process. */
function parentsAndChildren(): (parent: number) => readonly number[] {
  const all = processes();
  return (parent) => all.filter((process) => process.parent === parent).map(({ pid }) => pid);
}

/** Whether a process of the group still runs; a zombie does not count where that can be determined. */
export function hasLivingMember(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  // Usually the leader is still running, and a single lookup shows that.
  if (processEntry(group).some((first) => first.isAlive && first.group === group)) return true;
  const members = recentProcesses().filter((process) => process.group === group);
  return members.length === 0 || members.some(({ isAlive }) => isAlive);
}

/** How old the list of all processes may be: waits poll again anyway, and many may run at once. */
const RECENT_MS = 20;
let recent: { readonly at: number; readonly entries: readonly ProcessEntry[] } | undefined;

function recentProcesses(): readonly ProcessEntry[] {
  const now = performance.now();
  if (!recent || now - recent.at > RECENT_MS) recent = { at: now, entries: processes() };
  return recent.entries;
}

/** Offset of the start time among the fields after the name. */
const START_TIME = 19;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly isAlive: boolean;
  /** When it was started, in ticks since boot. */
  readonly startedAt: string;
}

function processes(): readonly ProcessEntry[] {
  return namesIn("/proc").flatMap(processEntry);
}

/** The numeric names in a folder. */
function namesIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** What the system reports about a process, if it exists. */
export function processEntry(pid: number): readonly ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state parent group …`; the name may contain anything.
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
