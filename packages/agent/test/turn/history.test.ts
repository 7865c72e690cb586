import type { ContentBlock } from "@agentwire/protocol/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { History } from "../../src/turn/history.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: "done" });
const thought: ContentBlock = { type: "thinking", thinking: "hm", signature: "s" };

const idsIn = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
const answersIn = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
const blocksIn = (history: History) =>
  history.messages.map(({ role, content }) => ({
    role,
    blocks: typeof content === "string" ? [text(content)] : content,
  }));

/** Fails unless the API would accept the conversation, followed by one more prompt. */
function expectAcceptable(history: History): void {
  history.add("user", "and now?");
  const messages = blocksIn(history);
  for (const [i, { role, blocks }] of messages.entries()) {
    expect(role).not.toBe(messages[i - 1]?.role);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) if (block.type === "text") expect(block.text.trim()).not.toBe("");
    if (role === "assistant") expect(blocks.at(-1)?.type).not.toBe("thinking");
    const asked = idsIn(messages[i - 1]?.blocks ?? []);
    expect(
      answersIn(blocks)
        .filter((id) => asked.includes(id))
        .sort(),
    ).toEqual(asked.sort());
  }
}

describe("a history", () => {
  test("adds a result to every call without one, before anything else the user says", () => {
    const history = new History();
    history.add("user", "go");
    history.add("assistant", [text("I look."), call("a"), call("b")]);
    history.add("user", [text("stop"), result("b")]);
    expect(blocksIn(history).at(-1)?.blocks).toMatchObject([
      { type: "tool_result", tool_use_id: "b", content: "done" },
      { type: "tool_result", tool_use_id: "a", is_error: true },
      { type: "text", text: "stop" },
    ]);
  });

  test("drops a reply that contains only thinking", () => {
    const history = new History();
    history.add("user", "go", "u1");
    history.add("assistant", [thought], "a1");
    history.add("user", "again", "u2");
    expect(history.messages).toEqual([
      { role: "user", content: [text("go"), text("again")], uuids: ["u1", "u2"] },
    ]);
  });

  test("leaves a plain prompt unchanged, and records the stored lines of each message", () => {
    const history = new History();
    history.add("user", "go", "u1");
    history.add("assistant", [text("one")], "a1");
    history.add("assistant", [text("two")], "a2");
    expect(history.messages).toEqual([
      { role: "user", content: "go", uuids: ["u1"] },
      { role: "assistant", content: [text("one"), text("two")], uuids: ["a1", "a2"] },
    ]);
  });

  test("is valid for the API after any additions in any order", () => {
    const block = fc.constantFrom(
      text("word"),
      text(" \n"),
      text(""),
      thought,
      call("x"),
      call("y"),
      result("x"),
    );
    const piece = fc.record({
      role: fc.constantFrom("user" as const, "assistant" as const),
      content: fc.oneof(fc.constantFrom("word", "", "  "), fc.array(block, { maxLength: 4 })),
    });
    // Replies contain no results, and no reply repeats a call id.
    const sound = piece.filter(({ role, content }) => {
      if (typeof content === "string") return true;
      if (role === "user") return content.every(({ type }) => type === "text" || type === "tool_result");
      return answersIn(content).length === 0 && new Set(idsIn(content)).size === idsIn(content).length;
    });
    fc.assert(
      fc.property(fc.array(sound, { maxLength: 8 }), (pieces) => {
        const history = new History();
        const seen = new Set<string>();
        for (const { role, content } of pieces) {
          const calls = typeof content === "string" ? [] : idsIn(content);
          if (calls.some((id) => seen.has(id))) continue;
          for (const id of calls) seen.add(id);
          history.add(role, content);
        }
        expectAcceptable(history);
      }),
      { numRuns: 2000 },
    );
  });
});
