import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeLine } from "../../src/lines/encode.ts";
import { encodeTextDelta } from "../../src/lines/text-delta.ts";

/** A piece of a reply's text as our agent sends it. */
function textDelta(text: unknown, more: object = {}) {
  return {
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    parent_tool_use_id: null,
    api_message_id: "msg_1",
    session_id: "0b2e9a52-6a6c-4a1e-9f0e-0d6f3a1b2c3d",
    uuid: "1c3f0b63-7b7d-4b2f-8a1f-1e7a4b2c3d4e",
    ...more,
  };
}

describe("a piece of text", () => {
  test("is written by the fast path", () => {
    expect(encodeTextDelta(textDelta("word "))).toBe(JSON.stringify(textDelta("word ")));
  });

  test("is written as JSON.stringify writes it, whatever the text and the other fields", () => {
    const words = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', "\\", "\n", "\ud800", "é") }));
    const odd = fc.oneof(
      words,
      fc.constant(null),
      fc.constant(undefined),
      fc.integer(),
      fc.constant({ a: [1] }),
    );
    const fields = fc.record(
      { parent_tool_use_id: odd, api_message_id: odd, session_id: odd, uuid: odd, ttft_ms: odd },
      { requiredKeys: [] },
    );
    const index = fc.oneof(fc.integer(), fc.double(), fc.constant("0"), fc.constant(undefined));
    fc.assert(
      fc.property(words, fields, index, fc.boolean(), (text, more, at, isTold) => {
        const message = textDelta(text, more);
        Object.assign(message.event, { index: at });
        if (isTold) Object.assign(message.event.delta, { seen: true });
        const written = encodeTextDelta(message);
        if (written !== undefined) expect(written).toBe(JSON.stringify(message));
      }),
    );
  });

  test("is left to JSON.stringify if its fields differ or have another order", () => {
    const { type, event, ...rest } = textDelta("word ");
    expect(encodeTextDelta({ ...rest, type, event })).toBeUndefined();
    expect(encodeTextDelta({ ...textDelta("word "), ttft_ms: 3 })).toBeUndefined();
    expect(encodeTextDelta({ type, event: null })).toBeUndefined();
  });

  test("has no character at which a splitter could cut its line", () => {
    const line = encodeLine(textDelta("a\u2028b\u2029c\u007fd\ne"));
    expect(line).toContain('"text":"a\\u2028b\\u2029c\\u007fd\\ne"');
    expect(line.indexOf("\n")).toBe(line.length - 1);
  });
});
