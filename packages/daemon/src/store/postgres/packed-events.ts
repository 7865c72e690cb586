import { checkedEvent, type EventRow, type StoredEvent } from "../checked-event.ts";
import { eventSum } from "../event-sum.ts";
import type { Write } from "../write.ts";

/** An event to be stored. */
export type NewEvent = Extract<Write, { readonly type: "appendEvent" }>;

/** A row of the log: an event, or consecutive deltas of one reply under the number of the last one. */
export interface LogRow extends EventRow {
  readonly packed: number;
}

/** The maximum number of deltas in one row: this many rows after a number may contain events before it. */
export const MAX_PACKED = 100;
const MAX_BYTES = 64 * 1024;
/** The length that precedes each delta in a row. */
const LENGTH_BYTES = 4;

/** Converts events to rows: deltas stored together share a row if `packs`, since all of them are deleted when their reply is finished. */
export function rowsOf(
  events: readonly NewEvent[],
  packs: boolean,
): readonly (LogRow & Pick<NewEvent, "sessionId" | "deltaOf">)[] {
  const all: Pack[] = [];
  const open = new Map<string, Pack>();
  for (const event of events) {
    const last = open.get(event.sessionId);
    if (packs && last && takes(last, event)) {
      last.events.push(event);
      last.bytes += event.body.length;
      continue;
    }
    const pack = { events: [event] as [NewEvent], bytes: event.body.length };
    all.push(pack);
    open.set(event.sessionId, pack);
  }
  return all.map(({ events: [first, ...more] }) => {
    const { sessionId, deltaOf } = first;
    const { seq } = more.at(-1) ?? first;
    const body = more.length === 0 ? first.body : Buffer.concat([first, ...more].flatMap(prefixed));
    return { sessionId, deltaOf, seq, body, sum: eventSum(seq, body), packed: more.length + 1 };
  });
}

interface Pack {
  readonly events: [NewEvent, ...NewEvent[]];
  bytes: number;
}

function takes({ events, bytes }: Pack, { deltaOf, seq, body }: NewEvent): boolean {
  const last = events.at(-1) ?? events[0];
  const isNext = deltaOf !== undefined && last.deltaOf === deltaOf && last.seq + 1 === seq;
  return isNext && events.length < MAX_PACKED && bytes + body.length <= MAX_BYTES;
}

function prefixed({ body }: NewEvent): readonly Uint8Array[] {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return [length, body];
}

/** The events of a row; for a damaged row, each event reports the damage. */
export function eventsOf(sessionId: string, row: LogRow): readonly StoredEvent[] {
  const { seq, packed, body } = row;
  if (packed === 1) return [checkedEvent(sessionId, row)];
  const isWhole = checkedEvent(sessionId, row) === row;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  let from = 0;
  return Array.from({ length: packed }, (_, at) => {
    const number = seq - packed + 1 + at;
    if (!isWhole) return checkedEvent(sessionId, { ...row, seq: number, sum: -1 });
    const start = from + LENGTH_BYTES;
    from = start + bytes.readUInt32BE(from);
    return { seq: number, body: bytes.subarray(start, from) };
  });
}
