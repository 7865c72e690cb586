import { EventSchema, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { envelopeOf, toResponse } from "../../src/rpc/watch-response.ts";

const eventOf = (seq: number, length: number) =>
  create(EventSchema, {
    sessionId: "s",
    seq: BigInt(seq),
    body: { case: "text", value: { messageId: "m", text: "x".repeat(length) } },
  });

/** Includes the lengths around which the length prefix grows by a byte. */
const lengths = fc.array(
  fc.oneof(fc.nat(40), fc.integer({ min: 100, max: 140 }), fc.integer({ min: 16_350, max: 16_400 })),
  {
    minLength: 1,
    maxLength: 5,
  },
);

test("an envelope of events equals the library's encoding of the response byte for byte", () => {
  fc.assert(
    fc.property(lengths, (all) => {
      const events = all.map((length, index) => eventOf(index + 1, length));
      const stored = events.map((event) => ({ seq: Number(event.seq), body: toBinary(EventSchema, event) }));
      const response = toBinary(WatchResponseSchema, create(WatchResponseSchema, { events }));
      expect(Buffer.compare(envelopeOf({ events: stored }, "binary"), encodeEnvelope(0, response))).toBe(0);
    }),
  );
});

test("clients that keep up share the same buffer; a response with extra fields gets its own", () => {
  const events = [{ seq: 1, body: toBinary(EventSchema, eventOf(1, 3)) }];
  expect(envelopeOf({ events }, "binary")).toBe(envelopeOf({ events }, "binary"));
  expect(envelopeOf({ events }, "json")).toBe(envelopeOf({ events }, "json"));
  const own = envelopeOf({ events, caughtUp: true }, "binary");
  const response = fromBinary(WatchResponseSchema, own.subarray(5));
  expect(response).toMatchObject({ caughtUp: true, events: [{ seq: 1n }] });
});

test("gap and notice are sent along with the events", () => {
  const events = [1, 2].map((seq) => ({ seq, body: toBinary(EventSchema, eventOf(seq, 3)) }));
  const delivery = { events, gap: { from: 1, to: 4 }, notice: { code: "slow", message: "so" } } as const;
  const response = fromBinary(
    WatchResponseSchema,
    toBinary(WatchResponseSchema, toResponse(delivery, "binary")),
  );
  expect(response.events.map(({ seq }) => seq)).toEqual([1n, 2n]);
  expect(response).toMatchObject({ gap: { fromSeq: 1n, toSeq: 4n }, notice: { code: "slow" } });
});
