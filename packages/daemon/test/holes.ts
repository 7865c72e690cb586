import type { Event } from "@agentwire/api";

/** Faults in the sequence numbers of a session's first events: one may be missing only if a finished reply replaced its deltas. */
export function holesIn(events: readonly Event[]): readonly string[] {
  const superseded = new Set<number>();
  for (const { seq, supersedesFrom } of events)
    if (supersedesFrom > 0n) for (let n = Number(supersedesFrom); n < Number(seq); n++) superseded.add(n);
  const faults: string[] = [];
  let last = 0;
  for (const event of events) {
    const seq = Number(event.seq);
    if (seq <= last) faults.push(`${seq} comes after ${last}`);
    for (let n = last + 1; n < seq; n++) if (!superseded.has(n)) faults.push(`${n} is missing`);
    last = seq;
  }
  return faults;
}
