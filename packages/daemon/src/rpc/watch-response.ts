import {
  type Event,
  EventSchema,
  SessionService,
  type WatchResponse,
  WatchResponseSchema,
} from "@agentwire/api";
import { create, fromBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { createMethodSerializationLookup, encodeEnvelope } from "@connectrpc/connect/protocol";
import type { Delivery } from "../session/subscriber.ts";
import type { StoredEvent } from "../store/checked-event.ts";

/** The encoding of a client's responses: protobuf's binary form, or JSON. */
export type Spelling = "binary" | "json";

type Events = readonly StoredEvent[];

/** Converts a delivery for clients. */
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

/** Caches envelopes that contain only events: all clients that keep up receive the same bytes. */
const made: Readonly<Record<Spelling, WeakMap<Events, Buffer>>> = {
  binary: new WeakMap(),
  json: new WeakMap(),
};

/** Encodes a delivery as an envelope, which is the same for gRPC, gRPC-Web and Connect. */
export function envelopeOf(delivery: Delivery, spelling: Spelling): Buffer {
  const { events, gap, notice, caughtUp } = delivery;
  if (gap || notice || caughtUp) return serialized(delivery, spelling);
  const known = made[spelling].get(events);
  if (known) return known;
  const envelope = spelling === "binary" ? bareEnvelope(events) : serialized(delivery, spelling);
  made[spelling].set(events, envelope);
  return envelope;
}

function serialized(delivery: Delivery, spelling: Spelling): Buffer {
  const message = getO(spelling === "binary").serialize(toResponse(delivery, spelling));
  const { buffer, byteOffset, length } = encodeEnvelope(0, message);
  // Node.js would copy any other byte array for each client.
  return Buffer.from(buffer, byteOffset, length);
}

const decoded = ({ body }: StoredEvent): Event => fromBinary(EventSchema, body);

const EVENTS = WatchResponseSchema.field.events.number;
/** The tag that precedes each event in a response: the field number with the length-delimited wire type. */
const TAG = (EVENTS << 3) | WireType.LengthDelimited;
/** An envelope header: one byte of flags and four bytes of length. */
const ENVELOPE_BYTES = 5;

/**
 * Events as an unknown field, which the encoder copies unchanged: events are stored encoded, and need not be decoded and encoded
 * again.
 */
function encoded(events: Events): NonNullable<WatchResponse["$unknown"]>[number] {
  const data = Buffer.allocUnsafe(sizeOf(events));
  writeEvents(events, data, 0);
  // The encoder writes the first tag.
  return { no: EVENTS, wireType: WireType.LengthDelimited, data: data.subarray(1) };
}

/** Builds a response that contains only events, without the encoder: this runs for each batch of each session. */
function bareEnvelope(events: Events): Buffer {
  const size = sizeOf(events);
  const envelope = Buffer.allocUnsafe(ENVELOPE_BYTES + size);
  envelope[0] = 0;
  envelope.writeUInt32BE(size, 1);
  writeEvents(events, envelope, ENVELOPE_BYTES);
  return envelope;
}

function sizeOf(events: Events): number {
  let size = 0;
  for (const { body } of events) size += 1 + varintSize(body.length) + body.length;
  return size;
}

function writeEvents(events: Events, to: Buffer, start: number): void {
  let at = start;
  for (const { body } of events) {
    to[at++] = TAG;
    let length = body.length;
    for (; length > 127; length >>>= 7) to[at++] = (length & 127) | 128;
    to[at++] = length;
    to.set(body, at);
    at += body.length;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest >>>= 7) size++;
  return size;
}
