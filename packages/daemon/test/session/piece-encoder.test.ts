import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { PieceEncoder } from "../../src/session/piece-encoder.ts";
import type { Draft } from "../../src/store/draft.ts";

const SESSION = "0b7e6f1e-3d0f-4a53-9a53-0e6a3f6f0c11";

/** Includes lone surrogates: models split their replies anywhere. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme-ascii", maxLength: 300 }),
  fc.constantFrom("", "\ud83d", "\udc69 x", "é".repeat(1300), "漢".repeat(1360)),
);

const draft: fc.Arbitrary<Draft> = fc
  .record({
    kind: fc.constantFrom("textDelta" as const, "thinkingDelta" as const),
    value: fc.record({
      messageId: text,
      index: fc.oneof(fc.constantFrom(0, 1, 127, 128, 0x7fff_ffff), fc.nat(300)),
      text,
    }),
    parent: fc.option(text, { nil: undefined }),
  })
  .map(({ kind, value, parent }) => ({
    body: kind === "textDelta" ? { case: kind, value } : { case: kind, value },
    ...(parent !== undefined && { parent }),
  }));

test("deltas are encoded to the same bytes as by the library, in shared memory", () => {
  const seq = fc.oneof(
    fc.constantFrom(1, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER - 2000),
    fc.integer({ min: 1 }),
  );
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 60 }), seq, fc.nat({ max: 4e12 }), (drafts, first, nowMs) => {
      const encoder = new PieceEncoder(SESSION);
      const time = timestampFromMs(nowMs);
      const bodies: (Uint8Array | undefined)[] = drafts.map(() => undefined);
      encoder.begin(time);
      const isTaken = drafts.map((each, index) =>
        encoder.add(each, first + index, (body) => {
          bodies[index] = body;
        }),
      );
      encoder.end();
      for (const [index, { body, parent: parentToolUseId = "" }] of drafts.entries()) {
        const event = { sessionId: SESSION, seq: BigInt(first + index), time, parentToolUseId, body };
        if (isTaken[index]) expect(bodies[index]).toEqual(toBinary(EventSchema, create(EventSchema, event)));
      }
      const taken = bodies.filter((body) => body !== undefined);
      const bytes = taken.reduce((sum, { length }) => sum + length, 0);
      const memory = [...new Set(taken.map(({ buffer }) => buffer))];
      expect(memory.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(bytes);
      expect(memory.length).toBeLessThanOrEqual(Math.ceil(bytes / 32_768));
    }),
  );
});

test("anything but a short delta is left to the library", () => {
  const encoder = new PieceEncoder(SESSION);
  const never = () => expect.unreachable();
  const value = { messageId: "m", index: 0, text: "x" };
  const others: Draft[] = [
    { body: { case: "text", value: { messageId: "m", text: "x" } } },
    { body: { case: "textDelta", value: { ...value, text: "x".repeat(5000) } } },
    { body: { case: "textDelta", value: { ...value, index: 0.5 } } },
    { body: { case: "textDelta", value: { ...value, index: -1 } } },
    { body: { case: "textDelta", value }, messageId: "u" },
  ];
  for (const draft of others) expect(encoder.add(draft, 1, never)).toBe(false);
  encoder.end();
});
