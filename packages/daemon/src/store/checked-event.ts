import { EventSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { eventSum } from "./event-sum.ts";

/** An event as it is stored and sent: numbered and encoded once, for everyone. */
export interface StoredEvent {
  readonly seq: number;
  readonly body: Uint8Array;
}

/** An event as read from the store; events of older daemons have no checksum, and a damaged one may contain anything. */
export interface EventRow extends StoredEvent {
  readonly sum: number | null;
}

/** The event of a row, or one that reports the damage, so that readers can continue. */
export function checkedEvent(sessionId: string, row: EventRow): StoredEvent {
  const { seq, body, sum } = row;
  const isWhole = body instanceof Uint8Array && (sum === null ? isEvent(body) : eventSum(seq, body) === sum);
  return isWhole ? row : { seq, body: damaged(sessionId, seq) };
}

function isEvent(body: Uint8Array): boolean {
  try {
    fromBinary(EventSchema, body);
    return true;
  } catch {
    return false;
  }
}

function damaged(sessionId: string, seq: number): Uint8Array {
  const message = `event ${seq} is damaged in the store and can't be shown; a backup may have it`;
  return toBinary(
    EventSchema,
    create(EventSchema, {
      sessionId,
      seq: BigInt(seq),
      body: { case: "error", value: { code: "event_damaged", message } },
    }),
  );
}
