import {
  type Event,
  EventSchema,
  SessionService,
  type WatchResponse,
  WatchResponseSchema,
} from "@agentwire/api";
import { create, fromBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { createMethodSerializationLookup, encodeEnvelope } from "@connectrpc/connect/protocol";
import type { Delivery } from "../session/subscriber.ts";
import type { StoredEvent } from "../store/checked-event.ts";

/** How a client wants its responses: in protobuf's binary form, or as JSON. */
export type Spelling = "binary" | "json";

type Events = readonly StoredEvent[];

/** A delivery as clients get it. */
export function toResponse({ events, gap, notice, caughtUp }: Delivery, spelling: Spelling): WatchResponse {
  const response = create(WatchResponseSchema, {
    ...(gap && {
      gap: { fromSeq: BigInt(gap.from), toSeq: BigInt(gap.to), reason: "older events were pruned" },
    }),
    ...(notice && { notice }),
    caughtUp: caughtUp ?? false,
  });
  if (spelling === "json") response.events = events.map(decoded);
  else if (events.length > 0) response.$unknown = [encoded(events)];
  return response;
}

const { getO } = createMethodSerializationLookup(SessionService.method.watch, undefined, undefined, {
  readMaxBytes: 0,
  writeMaxBytes: 0xffff_ffff,
});

/** Envelopes of nothing but events, by these: all clients that keep up get the very same bytes. */
const made: Readonly<Record<Spelling, WeakMap<Events, Buffer>>> = {
  binary: new WeakMap(),
  json: new WeakMap(),
};

/** A delivery as it stands in a stream: gRPC, gRPC-Web and Connect have the same envelope. */
export function envelopeOf(delivery: Delivery, spelling: Spelling): Buffer {
  const { events, gap, notice, caughtUp } = delivery;
  const isShared = !gap && !notice && !caughtUp;
  const known = isShared ? made[spelling].get(events) : undefined;
  if (known) return known;
  const { buffer, byteOffset, length } = encodeEnvelope(
    0,
    getO(spelling === "binary").serialize(toResponse(delivery, spelling)),
  );
  // Other types of bytes would be copied for each client.
  const envelope = Buffer.from(buffer, byteOffset, length);
  if (isShared) made[spelling].set(events, envelope);
  return envelope;
}

const decoded = ({ body }: StoredEvent): Event => fromBinary(EventSchema, body);

const EVENTS = WatchResponseSchema.field.events.number;

/**
 * Events as a field that the encoder does not know: it copies such a field as it is, so an event that was encoded for the store is
 * not decoded and encoded again.
 */
function encoded(events: Events): NonNullable<WatchResponse["$unknown"]>[number] {
  const wireType = WireType.LengthDelimited;
  const writer = new BinaryWriter();
  events.forEach(({ body }, index) => {
    // The encoder writes the first tag.
    if (index > 0) writer.tag(EVENTS, wireType);
    writer.bytes(body);
  });
  return { no: EVENTS, wireType, data: writer.finish() };
}
