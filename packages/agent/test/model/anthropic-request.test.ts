import { readRetryAfter } from "@agentwire/models";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { describe, expect, test } from "vitest";
import { readCustomHeaders } from "../../src/config/model-sources.ts";
import { toRequest } from "../../src/model/anthropic-request.ts";
import type { ModelCall, Thinking } from "../../src/model/model.ts";

const CALL: ModelCall = {
  model: "m",
  system: [],
  messages: [{ role: "user", content: "hi" }],
  tools: [],
  maxTokens: 10,
};
const MARK = { cache_control: { type: "ephemeral" } };

describe("the prompt cache", () => {
  test("is marked on the last system block, the last tool and the last two user messages", () => {
    const request = toRequest({
      ...CALL,
      system: ["one", "two"],
      tools: [{ name: "A" }, { name: "B" }],
      messages: [
        { role: "user", content: "first" },
        { role: "assistant", content: "reply" },
        { role: "user", content: "second" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "A", input: {} }] },
        {
          role: "user",
          content: [
            { type: "text", text: "before" },
            { type: "tool_result", tool_use_id: "t", content: "done" },
          ],
        },
      ],
    });
    expect(request.system).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two", ...MARK },
    ]);
    expect(request.tools).toEqual([{ name: "A" }, { name: "B", ...MARK }]);
    expect(request.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "first" }] },
      { role: "assistant", content: [{ type: "text", text: "reply" }] },
      { role: "user", content: [{ type: "text", text: "second", ...MARK }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "A", input: {} }] },
      {
        role: "user",
        content: [
          { type: "text", text: "before" },
          { type: "tool_result", tool_use_id: "t", content: "done", ...MARK },
        ],
      },
    ]);
  });

  test("is never marked by the host or on empty text", () => {
    const content = [
      { type: "text", text: "big", cache_control: { type: "ephemeral" } } as ContentBlock,
      { type: "text", text: "" } as const,
    ];
    const messages = [
      { role: "user" as const, content },
      { role: "user" as const, content },
      { role: "user" as const, content },
    ];
    expect(JSON.stringify(toRequest({ ...CALL, messages })).match(/cache_control/g)).toHaveLength(2);
    expect(toRequest({ ...CALL, messages }).messages).toMatchObject([
      {},
      {},
      { content: [MARK, { text: "" }] },
    ]);
  });

  test("leaves the conversation unchanged", () => {
    const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
    toRequest({ ...CALL, messages });
    expect(messages).toEqual([{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  });
});

test("empty values are omitted from the request", () => {
  expect(Object.keys(toRequest({ ...CALL, system: [""] }))).toEqual([
    "model",
    "max_tokens",
    "messages",
    "stream",
  ]);
});

test("the suffix of a model's name is not sent", () => {
  expect(toRequest({ ...CALL, model: "claude-opus-5-5[1m]" }).model).toBe("claude-opus-5-5");
});

describe("the thinking parameter follows the model", () => {
  const off = { type: "disabled" } as const;
  const free = { type: "adaptive" } as const;
  const shown = { type: "adaptive", display: "summarized" } as const;
  const upTo = (budget_tokens: number) => ({ type: "enabled", budget_tokens }) as const;

  test.each<[string, Thinking | undefined, unknown]>([
    ["claude-opus-5-5", off, free],
    ["claude-opus-5", off, off],
    ["claude-opus-4-6", upTo(4000), free],
    ["claude-haiku-5-5", shown, shown],
    ["claude-sonnet-4-5", off, off],
    ["claude-sonnet-4-5", free, upTo(31_999)],
    ["claude-sonnet-4-5", shown, { ...upTo(31_999), display: "summarized" }],
    ["claude-sonnet-4-5", upTo(4000), upTo(4000)],
    ["claude-sonnet-4-5", upTo(40_000), upTo(31_999)],
    ["claude-3-5-haiku", free, undefined],
    ["claude-opus-5-5", undefined, undefined],
    ["mine", upTo(4000), upTo(4000)],
  ])("%s with %j becomes %j", (model, thinking, heard) => {
    const call = { ...CALL, model, maxTokens: 32_000, ...(thinking && { thinking }) };
    expect(toRequest(call).thinking).toEqual(heard);
  });
});

test.each([
  ["A: 1\nB:2", { A: "1", B: "2" }],
  ["  X-Url :  http://x:1/  \r\n", { "X-Url": "http://x:1/" }],
  ["no colon\n: no name\nbad name: 1\nE: \u0001\n\n", {}],
  ["Empty:", { Empty: "" }],
])("custom headers %j are parsed as %j", (text, headers) => {
  expect(readCustomHeaders(text)).toEqual(headers);
});

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after-ms": "150", "retry-after": "9" }, 150],
  [{ "retry-after": new Date(10_000).toUTCString() }, 7000],
  [{ "retry-after": new Date(1000).toUTCString() }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "99999999999" }, 2 ** 31 - 1],
  [{}, undefined],
])("the headers %j request a delay of %s ms", (headers, expected) => {
  expect(readRetryAfter(new Headers(headers as Record<string, string>), 3000)).toBe(expected);
});
