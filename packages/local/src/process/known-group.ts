import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { groupsBelow, hasLivingMember, processEntry } from "./process-table.ts";
import { signalGroup } from "./signal-group.ts";

/** A process group, with what distinguishes it from a later group of the same number. */
export interface KnownGroup {
  readonly group: number;
  /** The boot id of the system and the start time of the group's leader. */
  readonly startedAt: string;
}

const LOOK_MS = 50;
/** How long killed processes may take to disappear. */
const KILLED_MS = 2000;

/** Records how to recognize a group later; undefined if it is gone or the system does not provide the data. */
export function knownGroup(group: number): KnownGroup | undefined {
  const [leader] = processEntry(group);
  const boot = bootId();
  return leader && boot !== "" ? { group, startedAt: `${boot} ${leader.startedAt}` } : undefined;
}

/** The groups that still have a running process. */
export function livingGroups(known: readonly KnownGroup[]): readonly KnownGroup[] {
  const boot = bootId();
  return known.filter(({ group, startedAt }) => {
    const [leader] = processEntry(group);
    // The system does not reuse a number while its group exists: if the leader is gone, the members still belong to the old group.
    const isSame = leader ? startedAt === `${boot} ${leader.startedAt}` : startedAt.startsWith(`${boot} `);
    return isSame && hasLivingMember(group);
  });
}

/**
 * Waits until the groups that an earlier program started, and those that their processes created, are gone; kills the rest after the
 * grace period. Returns the groups that survived even that.
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

/** The groups that are still alive after this time. */
async function goneWithin(known: readonly KnownGroup[], ms: number): Promise<readonly KnownGroup[]> {
  const deadline = performance.now() + ms;
  let left = livingGroups(known);
  while (left.length > 0 && performance.now() < deadline) {
    await delay(LOOK_MS);
    left = livingGroups(left);
  }
  return left;
}

/** Identifies the current boot of the system; empty where the system does not provide it. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
