import { Unknown } from "@agentwire/protocol";
import { type ApiEvent, type ContentBlock, NO_USAGE } from "@agentwire/protocol/messages";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../test/computing-time.ts";
import { type Fold, startFold } from "../src/fold.ts";

const begin: ApiEvent = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...NO_USAGE, input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 },
  },
};

type Delta = Extract<ApiEvent, { type: "content_block_delta" }>["delta"];

const start = (content_block: ContentBlock, index = 0): ApiEvent => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (delta: Delta, index = 0): ApiEvent => ({ type: "content_block_delta", index, delta });
const stop = (index = 0): ApiEvent => ({ type: "content_block_stop", index });
const input = (partial_json: string) => delta({ type: "input_json_delta", partial_json });

function fold(...events: ApiEvent[]): { fold: Fold; last: ReturnType<Fold["push"]> } {
  const fold = startFold();
  let last: ReturnType<Fold["push"]>;
  for (const event of events) last = fold.push(event);
  return { fold, last };
}

describe("a block", () => {
  test("of text is complete at its stop event, and partial before that", () => {
    const { fold: open } = fold(
      begin,
      start({ type: "text", text: "" }),
      delta({ type: "text_delta", text: "Hel" }),
    );
    expect(open.partialText).toBe("Hel");
    expect(open.message.content).toEqual([]);
    open.push(delta({ type: "text_delta", text: "lo" }));
    expect(open.push(stop())).toEqual({ index: 0, block: { type: "text", text: "Hello" } });
    expect(open.partialText).toBe("");
    expect(open.message.content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("of thinking collects its text and its signature", () => {
    const { last } = fold(
      start({ type: "thinking", thinking: "", signature: "" }),
      delta({ type: "thinking_delta", thinking: "Hm" }),
      delta({ type: "thinking_delta", thinking: "m." }),
      delta({ type: "signature_delta", signature: "c2ln" }),
      stop(),
    );
    expect(last?.block).toEqual({ type: "thinking", thinking: "Hmm.", signature: "c2ln" });
  });

  test("of text collects its citations", () => {
    const { last } = fold(
      start({ type: "text", text: "", citations: null }),
      delta({ type: "citations_delta", citation: { cited_text: "a" } }),
      delta({ type: "citations_delta", citation: { cited_text: "b" } }),
      stop(),
    );
    expect(last?.block).toMatchObject({ citations: [{ cited_text: "a" }, { cited_text: "b" }] });
  });

  test("of an unknown type is unchanged", () => {
    const block = new Unknown("hologram", { type: "hologram" });
    expect(fold(start(block), input("{"), stop()).last?.block).toBe(block);
  });

  test("that never started is never completed", () => {
    const { fold: folded, last } = fold(begin, delta({ type: "text_delta", text: "x" }, 7), stop(7));
    expect(last).toBeUndefined();
    expect(folded.message.content).toEqual([]);
  });
});

describe("the input of a tool", () => {
  const tool: ContentBlock = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };

  test.each([
    ["in pieces", ["", '{"comm', 'and":"ls"}'], { command: "ls" }],
    ["empty", [""], {}],
    ["left out", [], {}],
  ])("is parsed if it arrives %s", (_, pieces, expected) => {
    expect(fold(start(tool), ...pieces.map(input), stop()).last).toEqual({
      index: 0,
      block: { ...tool, input: expected },
    });
  });

  test.each(['{"command":"l', "[1]", "null", '"text"'])(
    "is empty, next to the raw text, if that text is %s",
    (json) => {
      expect(fold(start(tool), input(json), stop()).last).toEqual({ index: 0, block: tool, badInput: json });
    },
  );

  test("is the initial one if no deltas follow", () => {
    const whole: ContentBlock = { ...tool, input: { command: "ls" } };
    expect(fold(start(whole), stop()).last?.block).toEqual(whole);
  });
});

test("the message contains the usage and stop reason received so far", () => {
  const { fold: folded } = fold(begin);
  expect(folded.message).toMatchObject({
    id: "msg_1",
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  });
  folded.push({
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 42, input_tokens: null },
  });
  expect(folded.message).toMatchObject({
    stop_reason: "end_turn",
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 42 },
  });
  expect(folded.isComplete).toBe(false);
  folded.push({ type: "message_stop" });
  expect(folded.isComplete).toBe(true);
});

test("deltas of parallel blocks are not mixed up", () => {
  const { fold: folded } = fold(
    start({ type: "text", text: "" }, 0),
    start({ type: "text", text: "" }, 1),
    delta({ type: "text_delta", text: "a" }, 0),
    delta({ type: "text_delta", text: "b" }, 1),
    stop(0),
    stop(1),
  );
  expect(folded.message.content).toEqual([
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
});

test("twenty thousand deltas fold in well under a second", () => {
  const folded = startFold();
  folded.push(start({ type: "text", text: "" }));
  const before = computingMs();
  for (let i = 0; i < 20_000; i++) folded.push(delta({ type: "text_delta", text: "word " }));
  expect(computingMs() - before).toBeLessThan(1000);
  expect(folded.push(stop())?.block).toMatchObject({ text: "word ".repeat(20_000) });
});
