import { EventSchema, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { joinedResponse } from "../../src/talk/joining-watcher.ts";

type Body = MessageInitShape<typeof EventSchema>["body"];

const delta = (messageId: string, text: string, index = 0): Body => ({
  case: "textDelta",
  value: { messageId, index, text },
});

/** A response as a client decodes it. */
function received(response: MessageInitShape<typeof WatchResponseSchema>) {
  const bytes = toBinary(WatchResponseSchema, create(WatchResponseSchema, response));
  return joinedResponse(fromBinary(EmptySchema, bytes).$unknown ?? []);
}

test("consecutive deltas of one text are joined into one event with the last number, and nothing else changes", () => {
  const bodies: readonly (readonly [Body, string?])[] = [
    [{ case: "text", value: { messageId: "m", text: "whole", model: "x" } }],
    [delta("m", "grü")],
    [delta("m", "ße 👩‍💻")],
    [delta("m", " of a subagent"), "call"],
    [delta("m", "!", 1)],
    [delta("n", "another")],
    [delta("n", " reply")],
    [{ case: "thinkingDelta", value: { messageId: "n", text: "thought" } }],
    [delta("n", " ends")],
  ];
  const events = bodies.map(([body, parentToolUseId = ""], index) => ({
    sessionId: "s",
    seq: BigInt(index + 1),
    parentToolUseId,
    body,
  }));
  const read = received({ events, notice: { code: "slow", message: "m" }, caughtUp: true });
  expect(read).toMatchObject({ notice: { code: "slow", message: "m" }, caughtUp: true });
  expect(read.gap).toBeUndefined();
  expect(
    read.events.map(({ seq, parentToolUseId, body }) => [seq, parentToolUseId, body.value]),
  ).toMatchObject([
    [1n, "", { messageId: "m", text: "whole", model: "x" }],
    [3n, "", { messageId: "m", index: 0, text: "grüße 👩‍💻" }],
    [4n, "call", { text: " of a subagent" }],
    [5n, "", { index: 1, text: "!" }],
    [7n, "", { messageId: "n", text: "another reply" }],
    [8n, "", { text: "thought" }],
    [9n, "", { text: " ends" }],
  ]);
  expect(read.events[0]).toEqual(create(EventSchema, events[0] ?? {}));
  expect(received({ gap: { fromSeq: 1n, toSeq: 4n, reason: "old" } })).toMatchObject({
    events: [],
    caughtUp: false,
    gap: { toSeq: 4n },
  });
});

test("long texts and large numbers are joined unchanged, and damaged data is still an error", () => {
  const pieces = Array.from({ length: 300 }, (_, index) => `${"ж".repeat(index)} `);
  const seqOf = (index: number) => 2n ** 40n + BigInt(index);
  const events = pieces.map((text, index) => ({
    sessionId: "s".repeat(200),
    seq: seqOf(index),
    time: { seconds: 1_790_000_000n, nanos: index },
    agentMessageId: "a".repeat(300),
    body: delta("m".repeat(200), text, 70_000),
  }));
  const [joined, ...others] = received({ events }).events;
  expect(others).toEqual([]);
  expect(joined).toMatchObject({
    seq: seqOf(299),
    body: { value: { messageId: "m".repeat(200), index: 70_000, text: pieces.join("") } },
  });

  const whole = toBinary(EventSchema, create(EventSchema, { seq: 1n, body: delta("m", "text") }));
  for (let length = whole.length - 1; length > whole.length - 8; length--) {
    const data = new Uint8Array([length, ...whole.subarray(0, length)]);
    expect(() => joinedResponse([{ no: 1, wireType: 2, data }]), `${length} bytes`).toThrow();
  }
});
