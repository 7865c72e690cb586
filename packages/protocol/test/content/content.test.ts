import { describe, expect, test } from "vitest";
import { contentBlock, messageContent } from "../../src/content/content.ts";
import { assistantMessage } from "../../src/messages/assistant.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { readSlowly } from "../messages/reading.ts";

const serverResult = (type: string) => ({ type, tool_use_id: "t1", content: [{ any: "thing" }] });

const blocks = [
  { type: "text", text: "hi" },
  { type: "text", text: "hi", citations: [{ type: "char_location" }] },
  { type: "thinking", thinking: "hm", signature: "sig" },
  { type: "redacted_thinking", data: "…" },
  { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
  { type: "server_tool_use", id: "t1", name: "web_search", input: { query: "q" } },
  { type: "mcp_tool_use", id: "t1", name: "read", server_name: "files", input: {} },
  { type: "tool_reference", tool_name: "Bash" },
  { type: "tool_result", tool_use_id: "t1" },
  { type: "tool_result", tool_use_id: "t1", content: null, is_error: true },
  { type: "tool_result", tool_use_id: "t1", content: "ok", is_error: false },
  { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "ok" }] },
  { type: "mcp_tool_result", tool_use_id: "t1", content: [{ type: "text", text: "ok" }], is_error: false },
  serverResult("web_search_tool_result"),
  serverResult("web_fetch_tool_result"),
  serverResult("tool_search_tool_result"),
  serverResult("code_execution_tool_result"),
  serverResult("bash_code_execution_tool_result"),
  serverResult("text_editor_code_execution_tool_result"),
  serverResult("advisor_tool_result"),
  { type: "search_result", source: "https://a.b", title: "t", content: [{ type: "text", text: "found" }] },
  { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } },
  { type: "image", source: { type: "url", url: "https://a.b/c.png" } },
  { type: "image", source: { type: "file", file_id: "f1" } },
  { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBE" }, title: null },
  { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" }, context: "c" },
  { type: "document", source: { type: "content", content: "plain" } },
  { type: "document", source: { type: "url", url: "https://a.b/c.pdf" } },
];

test.each(blocks)("$type is accepted unchanged: %j", (block) => {
  expect(contentBlock.accepts(block)).toBe(true);
  expect(readSlowly(contentBlock, block)).toEqual({ value: block, repairs: [] });
});

test("this test covers every kind of block", () => {
  const tried = new Set(blocks.map((block) => block.type));
  expect([...tried].toSorted()).toEqual([...contentBlock.table.keys()].toSorted());
});

test.each([
  { type: "text" },
  { type: "text", text: ["not", "text"] },
  { type: "thinking" },
  { type: "tool_use", name: "Bash", input: {} },
  { type: "tool_use", id: "t1", input: {} },
  { type: "tool_result", content: "for whom?" },
  { type: "image" },
  { type: "brand_new", payload: { a: [1] } },
  { no: "type" },
  { type: 7 },
  { type: "__proto__" },
])("%j is kept unchanged", (block) => {
  const { value, repairs } = readSlowly(contentBlock, block);
  expect(value).toBeInstanceOf(Unknown);
  expect(repairs).toEqual([{ path: "", kind: "unknown", was: block.type }]);
  expect(JSON.stringify(value)).toBe(JSON.stringify(block));
});

describe("an unknown block", () => {
  const line = {
    type: "assistant",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "text", text: "before" },
        { type: "brand_new", payload: { a: [1] } },
        { type: "tool_result", tool_use_id: "t1", content: [{ type: "newer_still" }] },
      ],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    },
    parent_tool_use_id: null,
    uuid: "u",
    session_id: "s",
  };

  test("stays in place, and the line is written again as it arrived", () => {
    const { value, repairs } = readSlowly(assistantMessage, line);
    expect(value?.message.content[1]).toEqual(new Unknown("brand_new", line.message.content[1] ?? {}));
    expect(repairs).toEqual([
      { path: "message.content.1", kind: "unknown", was: "brand_new" },
      { path: "message.content.2.content.0", kind: "unknown", was: "newer_still" },
    ]);
    expect(JSON.stringify(value)).toBe(JSON.stringify(line));
  });
});

test("a thinking block without a signature and a tool_use without input get defaults", () => {
  expect(readSlowly(contentBlock, { type: "thinking", thinking: "hm" }).value).toEqual({
    type: "thinking",
    thinking: "hm",
    signature: "",
  });
  expect(readSlowly(contentBlock, { type: "tool_use", id: "t1", name: "Bash" }).value).toEqual({
    type: "tool_use",
    id: "t1",
    name: "Bash",
    input: {},
  });
});

test("is_error may be spelled as a string", () => {
  const block = { type: "tool_result", tool_use_id: 5, content: 7, is_error: "true" };
  expect(readSlowly(contentBlock, block).value).toEqual({
    type: "tool_result",
    tool_use_id: "5",
    content: "7",
    is_error: true,
  });
});

test("an image from an unknown kind of source is still an image", () => {
  const block = { type: "image", source: { type: "hologram", beam: 1 } };
  const { value } = readSlowly(contentBlock, block);
  expect(value).toEqual({ type: "image", source: new Unknown("hologram", block.source) });
  expect(JSON.stringify(value)).toBe(JSON.stringify(block));
});

test("an item that is not a block is dropped and the others are kept", () => {
  const { value, repairs } = readSlowly(messageContent, ["stray", { type: "text", text: "hi" }]);
  expect(value).toEqual([{ type: "text", text: "hi" }]);
  expect(repairs).toEqual([{ path: "0", kind: "dropped", was: "stray" }]);
});
