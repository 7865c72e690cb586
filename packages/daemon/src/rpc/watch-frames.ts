import { GapSchema, NoticeSchema, WatchResponseSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Delivery } from "../session/subscriber.ts";
import type { StoredEvent } from "../store/checked-event.ts";

/** Field 1 of `WatchResponse`, whose content follows its length. */
const EVENT_TAG = 0x0a;
/** gRPC puts one byte for compression and four for the length before each message. */
const HEAD_BYTES = 5;

/** A delivery as one message of a gRPC stream; events are put in as they are stored, so nothing is encoded for each client. */
export function frame(delivery: Delivery): Buffer {
  const rest = restOf(delivery);
  const size = delivery.events.reduce((sum, { body }) => sum + fieldBytes(body), rest.length);
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + size);
  bytes.writeUInt8(0, 0);
  bytes.writeUInt32BE(size, 1);
  let at = HEAD_BYTES;
  for (const event of delivery.events) at = putEvent(bytes, at, event);
  bytes.set(rest, at);
  return bytes;
}

/** Everything but the events; it is rare. */
function restOf({ gap, notice, caughtUp }: Delivery): Uint8Array {
  if (!gap && !notice && !caughtUp) return NOTHING;
  return toBinary(
    WatchResponseSchema,
    create(WatchResponseSchema, {
      ...(gap && {
        gap: create(GapSchema, {
          fromSeq: BigInt(gap.from),
          toSeq: BigInt(gap.to),
          reason: "older events were pruned",
        }),
      }),
      ...(notice && { notice: create(NoticeSchema, notice) }),
      caughtUp: caughtUp ?? false,
    }),
  );
}

const NOTHING = new Uint8Array();

const fieldBytes = (body: Uint8Array) => 1 + varintBytes(body.length) + body.length;

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

function putEvent(bytes: Buffer, start: number, { body }: StoredEvent): number {
  let at = start;
  bytes[at++] = EVENT_TAG;
  let length = body.length;
  for (; length >= 0x80; length = Math.floor(length / 0x80)) bytes[at++] = (length & 0x7f) | 0x80;
  bytes[at++] = length;
  bytes.set(body, at);
  return at + body.length;
}
