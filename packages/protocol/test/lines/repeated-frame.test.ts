import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { parseLine } from "../../src/lines/parse.ts";
import { RepeatedFrame } from "../../src/lines/repeated-frame.ts";

/** A piece of a reply's text as the official agent sends it. */
function piece(text: unknown, uuid: unknown = "1c3f0b63-7b7d-4b2f-8a1f-1e7a4b2c3d4e", more: object = {}) {
  return {
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    session_id: "0b2e9a52-6a6c-4a1e-9f0e-0d6f3a1b2c3d",
    parent_tool_use_id: null,
    uuid,
    api_message_id: "msg_1",
    ...more,
  };
}

/** The fields read from a line after another one, without parsing all of it. */
function readAfter(first: unknown, line: string) {
  const frame = new RepeatedFrame();
  const before = JSON.stringify(first);
  frame.learn(before, JSON.parse(before));
  return frame.read(line);
}

describe("a piece that differs from the previous one in text and uuid", () => {
  test.each([
    "word ",
    "",
    'a "quote"',
    "two\nlines",
    "\\",
    "é 漢字 🌍",
    "\ud800",
    "\u0001",
    '"}},"uuid":"x"',
  ])("is read without parsing all of it: %j", (text) => {
    const line = JSON.stringify(piece(text, "other"));
    expect(JSON.stringify(readAfter(piece("first"), line))).toBe(line);
  });

  test("is read whatever the order of its fields, if the text precedes the uuid", () => {
    const { type, event, session_id, uuid, ...rest } = piece("first");
    const ours = { type, event, ...rest, session_id, uuid };
    const line = JSON.stringify({ ...ours, uuid: "other" });
    expect(JSON.stringify(readAfter(ours, line))).toBe(line);
  });
});

test("a line that differs in anything else is parsed", () => {
  const first = piece("first");
  const { delta } = first.event;
  const others: object[] = [
    piece("x", "u", { session_id: "another" }),
    piece("x", "u", { ttft_ms: 3 }),
    piece("x", null),
    piece(null),
    piece(["x"]),
    { ...first, event: { ...first.event, index: 1 } },
    { ...first, event: { ...first.event, delta: { ...delta, text: "x", more: "y" } } },
    { ...first, event: { ...first.event, delta: { text: "x", type: "text_delta" } } },
  ];
  for (const other of others.slice(0, -1)) expect(readAfter(first, JSON.stringify(other))).toBeUndefined();
  for (const other of others) {
    const frame = new RepeatedFrame();
    for (const value of [first, other, first, other])
      expect(parseLine(JSON.stringify(value), frame)).toEqual(JSON.parse(JSON.stringify(value)));
  }
});

test("a text that ends in the middle of the line is not accepted", () => {
  const line = JSON.stringify(piece("x"));
  const cut = line.replace('"text":"x"', '"text":"x","more":"y"');
  const broken = line.replace('"text":"x"', '"text":"x"y"');
  expect(readAfter(piece("first"), cut)).toBeUndefined();
  expect(parseLine(cut, new RepeatedFrame())).toEqual(JSON.parse(cut));
  expect(readAfter(piece("first"), broken)).toBeUndefined();
  for (let length = 0; length < line.length; length++)
    expect(readAfter(piece("first"), line.slice(0, length))).toBeUndefined();
});

test("any lines are read the same with and without the lines before them", () => {
  const words = fc.oneof(fc.string(), fc.constantFrom("\u0001", "\u0002", '"', "\\", '"}}', ',"uuid":"'));
  const odd = fc.oneof(words, fc.constant(null), fc.integer(), fc.constant({ a: [1] }));
  const more = fc.record({ session_id: odd, note: odd, uuid: odd }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(fc.tuple(words, words, more)), (pieces) => {
      const frame = new RepeatedFrame();
      for (const [text, uuid, fields] of pieces)
        for (const value of [piece(text, uuid), piece(text, uuid, fields)]) {
          const line = JSON.stringify(value);
          expect(JSON.stringify(parseLine(line, frame))).toBe(line);
        }
    }),
  );
});

test("a change that a reader makes to a message affects no other message", () => {
  const frame = new RepeatedFrame();
  const line = JSON.stringify(piece("x"));
  for (let i = 0; i < 3; i++) {
    const message = parseLine(line, frame) as { [key: string]: unknown };
    expect(JSON.stringify(message)).toBe(line);
    message.session_id = "changed";
    Object.assign(message.event as JsonObject, { index: 7 });
    Object.assign((message.event as { delta: JsonObject }).delta, { more: 1 });
  }
});
