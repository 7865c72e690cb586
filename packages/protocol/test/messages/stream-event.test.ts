import fc from "fast-check";
import { expect, test } from "vitest";
import { apiEvent } from "../../src/content/api-event.ts";
import type { JsonObject } from "../../src/json.ts";
import { streamEventMessage } from "../../src/messages/stream-event.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { readSlowly } from "./reading.ts";

const delta = (piece: JsonObject) => ({ type: "content_block_delta", index: 0, delta: piece });

const usage = {
  input_tokens: 3,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const events = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "t1", name: "Bash", input: {} },
  },
  delta({ type: "text_delta", text: "h" }),
  delta({ type: "input_json_delta", partial_json: '{"c' }),
  delta({ type: "thinking_delta", thinking: "hm", estimated_tokens: null }),
  delta({ type: "signature_delta", signature: "sig" }),
  delta({ type: "citations_delta", citation: { type: "char_location" } }),
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: "message_stop" },
  { type: "ping" },
  { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
];

const line = (event: object) => ({
  type: "stream_event",
  event,
  parent_tool_use_id: null,
  uuid: "u",
  session_id: "s",
});

test.each(events)("$type is accepted unchanged: %j", (event) => {
  expect(streamEventMessage.accepts(line(event))).toBe(true);
  expect(readSlowly(streamEventMessage, line(event))).toEqual({ value: line(event), repairs: [] });
});

test("this test covers every kind of event", () => {
  expect([...new Set(events.map((event) => event.type))].toSorted()).toEqual(
    [...apiEvent.table.keys()].toSorted(),
  );
});

test.each([
  { type: "brand_new", a: 1 },
  { type: "content_block_delta", delta: { type: "text_delta", text: "which block?" } },
  { type: "message_start" },
])("an unreadable event is kept and written again as it arrived: %j", (event) => {
  const { value } = readSlowly(streamEventMessage, line(event));
  expect(value?.event).toEqual(new Unknown(event.type, event));
  expect(JSON.stringify(value)).toBe(JSON.stringify(line(event)));
});

test("an unknown delta is kept inside its event", () => {
  const event = delta({ type: "brand_new_delta", x: 1 });
  const { value, repairs } = readSlowly(apiEvent, event);
  expect(value).toEqual({ ...event, delta: new Unknown("brand_new_delta", event.delta) });
  expect(repairs).toEqual([{ path: "delta", kind: "unknown", was: "brand_new_delta" }]);
});

test("the fast check of common deltas accepts nothing that needs a repair", () => {
  const common = {
    type: "stream_event",
    event: delta({ type: "text_delta", text: "h" }),
    parent_tool_use_id: null,
    uuid: "u",
    session_id: "s",
  };
  const places = [
    "type",
    "uuid",
    "session_id",
    "parent_tool_use_id",
    "api_message_id",
    "ttft_ms",
    "resume_reason",
  ];
  const bent = fc.oneof(
    fc.tuple(fc.constantFrom(...places), fc.jsonValue()).map(([key, value]) => ({ ...common, [key]: value })),
    fc.jsonValue().map((event) => ({ ...common, event })),
    fc.jsonValue().map((piece) => ({ ...common, event: { ...common.event, delta: piece } })),
    fc.jsonValue().map((index) => ({ ...common, event: { ...common.event, index } })),
    fc.jsonValue().map((text) => ({ ...common, event: delta({ type: "text_delta", text }) })),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(bent, (value) => {
      if (!streamEventMessage.accepts(value)) return;
      expect(readSlowly(streamEventMessage, value)).toMatchObject({ value: {}, repairs: [] });
    }),
    { numRuns: 2000 },
  );
});
