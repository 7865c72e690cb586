import type { ContentBlock } from "@agentwire/protocol/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundaryEntry, type Compaction, compactMetadata } from "../../src/compact/boundary.ts";
import { planCompaction } from "../../src/compact/plan.ts";
import { compactionPrompt, readSummary, summaryMessage } from "../../src/compact/summary.ts";
import { contextTokens, shouldCompact } from "../../src/model/context-window.ts";
import type { ModelMessage } from "../../src/model/model.ts";

const user = (content: ModelMessage["content"]): ModelMessage => ({ role: "user", content });
const reply = (...content: ContentBlock[]): ModelMessage => ({ role: "assistant", content });
const text = (value: string): ContentBlock => ({ type: "text", text: value });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string, content = "x"): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const huge = "x".repeat(100_000);

describe("a plan for compaction", () => {
  test.each<[string, ModelMessage[], number]>([
    ["keeps the last reply", [user("a"), reply(text("one")), user("b"), reply(text("two"))], 3],
    ["keeps the last reply and a prompt that waits", [user("a"), reply(text("one")), user("b")], 1],
    ["keeps the last call with its result", [user("a"), reply(call("1")), user([result("1")])], 1],
    ["summarizes a huge result with its call", [user("a"), reply(call("1")), user([result("1", huge)])], 3],
    [
      "keeps a prompt after a huge result",
      [user("a"), reply(call("1")), user([result("1", huge)]), user([text("b")])],
      3,
    ],
    ["summarizes a huge reply but not the prompt after it", [user("a"), reply(text(huge)), user("b")], 2],
  ])("%s", (_, messages, cut) => {
    expect(planCompaction(messages)).toEqual({
      summarise: messages.slice(0, cut),
      keep: messages.slice(cut),
    });
  });

  test("is undefined for an empty conversation", () => {
    expect(planCompaction([])).toBeUndefined();
    expect(planCompaction([user("a")])).toBeUndefined();
  });

  test("never separates a call from its result", () => {
    const size = fc.constantFrom("x", huge);
    const step = fc.array(size, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const messages = steps.flatMap((results, i) => [
          reply(...results.map((_, j) => call(`${i}.${j}`))),
          user(results.map((content, j) => result(`${i}.${j}`, content))),
        ]);
        const plan = planCompaction([user("go"), ...messages]);
        for (const part of [plan?.summarise ?? [], plan?.keep ?? []]) {
          const blocks = part.flatMap(({ content }) => (typeof content === "string" ? [] : content));
          const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
          expect(
            blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])),
          ).toEqual(calls);
        }
      }),
    );
  });
});

describe("the threshold", () => {
  test("counts everything in the window", () => {
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 100,
      output_tokens: 1000,
    };
    expect(contextTokens(usage)).toBe(1111);
    expect(contextTokens({ input_tokens: "many", output_tokens: null })).toBe(0);
  });

  test.each([
    [166_999, 200_000, false],
    [167_000, 200_000, true],
    [967_000, 1_000_000, true],
    [799, 1_000, false],
    [800, 1_000, true],
  ])("of %i tokens in a window of %i: %s", (tokens, window, due) => {
    expect(shouldCompact(tokens, window)).toBe(due);
  });
});

describe("a summary", () => {
  test("is requested with the user's instructions", () => {
    expect(compactionPrompt()).toContain("<summary>");
    expect(compactionPrompt("  ")).toBe(compactionPrompt());
    expect(compactionPrompt("only the API")).toContain("only the API");
  });

  test.each<[string, string | undefined]>([
    ["<summary>We said one.</summary>", "We said one."],
    [
      "<analysis>hm</analysis>\n<summary>\nA <summary> of </summary> B\n</summary> bye",
      "A <summary> of </summary> B",
    ],
    ["<summary>cut off", "cut off"],
    ["no tags", "no tags"],
    ["</summary> odd <summary>x", "x"],
    ["<summary> </summary>", undefined],
    ["", undefined],
  ])("is read from %j", (answer, summary) => {
    expect(readSummary(answer)).toBe(summary);
  });

  test("is part of the message that the conversation continues from", () => {
    expect(summaryMessage("We said one.")).toContain("\nWe said one.\n");
  });
});

describe("a boundary", () => {
  const compaction: Compaction = {
    trigger: "auto",
    preTokens: 120,
    postTokens: 30,
    durationMs: 5,
    summaryUuid: "s",
    keptUuids: ["a", "b"],
  };

  test("reports to the host what was kept", () => {
    expect(compactMetadata(compaction)).toEqual({
      trigger: "auto",
      pre_tokens: 120,
      post_tokens: 30,
      duration_ms: 5,
      preserved_segment: { head_uuid: "a", anchor_uuid: "s", tail_uuid: "b" },
      preserved_messages: { anchor_uuid: "s", uuids: ["a", "b"] },
    });
    expect(Object.keys(compactMetadata({ ...compaction, keptUuids: [] }))).toEqual([
      "trigger",
      "pre_tokens",
      "post_tokens",
      "duration_ms",
    ]);
  });

  test("starts a new chain in the transcript and names the end of the old one", () => {
    expect(boundaryEntry(compaction, { uuid: "u", timestamp: "t", lastUuid: "b" })).toMatchObject({
      type: "system",
      subtype: "compact_boundary",
      parentUuid: null,
      logicalParentUuid: "b",
      uuid: "u",
      compactMetadata: {
        trigger: "auto",
        preTokens: 120,
        preservedMessages: { anchorUuid: "s", uuids: ["a", "b"] },
      },
    });
  });
});
