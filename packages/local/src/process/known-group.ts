import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { groupsBelow, hasLivingMember, processEntry } from "./process-table.ts";
import { signalGroup } from "./signal-group.ts";

/** A process group, and by what it can be told from a later one of the same number. */
export interface KnownGroup {
  readonly group: number;
  /** When its first process was started, in which run of the system. */
  readonly startedAt: string;
}

const LOOK_MS = 50;
/** How long what was killed may take to go. */
const KILLED_MS = 2000;

/** Takes down how a group can be known again; undefined if it is gone, or the system does not tell. */
export function knownGroup(group: number): KnownGroup | undefined {
  const [leader] = processEntry(group);
  const boot = bootId();
  return leader && boot !== "" ? { group, startedAt: `${boot} ${leader.startedAt}` } : undefined;
}

/** Those of which some process still lives. */
export function livingGroups(known: readonly KnownGroup[]): readonly KnownGroup[] {
  const boot = bootId();
  return known.filter(({ group, startedAt }) => {
    const [leader] = processEntry(group);
    // A number is not given away while a group has it: without its first process, members are those of old.
    const isSame = leader ? startedAt === `${boot} ${leader.startedAt}` : startedAt.startsWith(`${boot} `);
    return isSame && hasLivingMember(group);
  });
}

/**
 * Waits until groups that an earlier program has started are gone, with those that their processes have made; kills what is left after
 * the grace. Gives back what not even that has ended.
 */
export async function outliveGroups(
  known: readonly KnownGroup[],
  graceMs: number,
): Promise<readonly KnownGroup[]> {
  const strays = livingGroups(known).flatMap(({ group }) => groupsBelow(group));
  const all = [...known, ...strays.flatMap((group) => knownGroup(group) ?? [])];
  const left = await goneWithin(all, graceMs);
  for (const { group } of left) signalGroup(group, "SIGKILL");
  return goneWithin(left, KILLED_MS);
}

/** What is left of groups after so long. */
async function goneWithin(known: readonly KnownGroup[], ms: number): Promise<readonly KnownGroup[]> {
  const deadline = performance.now() + ms;
  let left = livingGroups(known);
  while (left.length > 0 && performance.now() < deadline) {
    await delay(LOOK_MS);
    left = livingGroups(left);
  }
  return left;
}

/** Which run of the system this is; empty where it does not tell. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
