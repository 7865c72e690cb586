import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { toChatRequest } from "../../src/chat/request.ts";
import { factsOf, type Provider, USUAL_QUIRKS } from "../../src/providers/provider.ts";
import type { MessagesRequest, RequestMessage } from "../../src/request.ts";
import { ToolNames } from "../../src/translate/tool-names.ts";
import { ask, prompt, providerAt, serve, stream } from "../serve.ts";

function translated(more: Partial<MessagesRequest>, provider: Partial<Provider> = {}): JsonObject {
  const whole = providerAt("http://127.0.0.1:1/v1", provider);
  const context = {
    provider: whole,
    model: "m",
    facts: factsOf(whole, "m"),
    names: new ToolNames(),
    adaptations: new Set<never>(),
  };
  return toChatRequest(prompt("hi", more), context);
}

const messagesOf = (messages: readonly RequestMessage[], provider: Partial<Provider> = {}) =>
  translated({ messages }, provider).messages;

const quirks = (more: Partial<Provider["quirks"]>) => ({ quirks: { ...USUAL_QUIRKS, ...more } });
const PNG = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } as const;
const PDF = { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } as const;

test("a prompt becomes a user message, preceded by the system prompt", () => {
  const system = [
    { type: "text", text: "You help." },
    { type: "text", text: "" },
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
  ];
  expect(translated({ system })).toEqual({
    model: "m",
    messages: [
      { role: "system", content: "You help.\n\nBe brief." },
      { role: "user", content: "hi" },
    ],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
  });
});

test("cache breakpoints are included if the provider supports them", () => {
  const system = [
    { type: "text", text: "You help." },
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
  ];
  const content = [{ type: "text" as const, text: "hi", cache_control: { type: "ephemeral" } }];
  expect(
    translated({ system, messages: [{ role: "user", content }] }, quirks({ cacheMarks: true })).messages,
  ).toEqual([
    { role: "system", content: [{ type: "text", text: "You help." }, system[1]] },
    { role: "user", content },
  ]);
});

test("a call is followed by its result, however the messages are split", () => {
  expect(
    messagesOf([
      { role: "user", content: "list" },
      { role: "assistant", content: [{ type: "text", text: "I look." }] },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Bash", input: { command: "ls" } }] },
      { role: "assistant", content: [{ type: "tool_use", id: "b", name: "Now", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x.ts" }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "no" }], is_error: true },
          { type: "text", text: "and now?" },
        ],
      },
    ]),
  ).toEqual([
    { role: "user", content: "list" },
    {
      role: "assistant",
      content: "I look.",
      tool_calls: [
        { id: "a", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } },
        { id: "b", type: "function", function: { name: "Now", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "x.ts" },
    { role: "tool", tool_call_id: "b", content: "<error>\nno\n</error>" },
    { role: "user", content: "and now?" },
  ]);
});

describe("images and documents", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "an image",
      { type: "image", source: PNG },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
    [
      "an image by URL",
      { type: "image", source: { type: "url", url: "https://x/y.png" } },
      { type: "image_url", image_url: { url: "https://x/y.png" } },
    ],
    [
      "a PDF",
      { type: "document", source: PDF, title: "a.pdf" },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
    ],
    [
      "a text document",
      { type: "document", source: { type: "text", media_type: "text/plain", data: "words" } },
      { type: "text", text: "words" },
    ],
    [
      "a document of blocks",
      { type: "document", source: { type: "content", content: [{ type: "text", text: "words" }] } },
      { type: "text", text: "words" },
    ],
    [
      "a search result",
      { type: "search_result", source: "https://x", title: "X", content: [{ type: "text", text: "words" }] },
      { type: "text", text: "X\nhttps://x\nwords" },
    ],
  ])("are included: %s", (_what, block, expected) => {
    expect(messagesOf([{ role: "user", content: [block, { type: "text", text: "look" }] }])).toEqual([
      { role: "user", content: [expected, { type: "text", text: "look" }] },
    ]);
  });

  test("of a tool result follow it, because a result can only be text", () => {
    const content = [
      { type: "text" as const, text: "here" },
      { type: "image" as const, source: PNG },
    ];
    expect(
      messagesOf([{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] }]),
    ).toEqual([
      { role: "tool", tool_call_id: "a", content: "here" },
      {
        role: "user",
        content: [
          { type: "text", text: "Result of a:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
    ]);
  });

  test.each([
    [
      "an image",
      { type: "image", source: PNG },
      { images: false },
      /test\/m can't take this image.*does not accept images/,
    ],
    [
      "a PDF",
      { type: "document", source: PDF },
      { documents: false },
      /test\/m can't take.*does not accept PDF/,
    ],
    [
      "a file stored at Anthropic",
      { type: "image", source: { type: "file", file_id: "f" } },
      {},
      /stored at Anthropic/,
    ],
  ])("that the model does not accept are refused by name: %s", (_what, block, facts, message) => {
    const refused = () => messagesOf([{ role: "user", content: [block] }], { models: { m: facts } });
    expect(refused).toThrow(message);
  });
});

describe("thinking", () => {
  const reply = (deltas: readonly object[]) => [
    ...deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`),
    'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  ];
  const tool = { tool_calls: [{ index: 0, id: "a", function: { name: "A", arguments: "{}" } }] };

  async function sentBack(deltas: readonly object[], after: readonly RequestMessage[] = [], to = "test") {
    const { baseUrl, requests } = await serve((response) => stream(response, reply(deltas)));
    const { content } = await ask(providerAt(baseUrl));
    const result = { type: "tool_result", tool_use_id: "a", content: "ok" } as const;
    const messages: RequestMessage[] = [
      { role: "user", content: "hi" },
      { role: "assistant", content },
      { role: "user", content: [result] },
      ...after,
    ];
    await ask(providerAt(baseUrl, { name: to }), prompt("", { messages, model: `${to}/m` }));
    return requests[1]?.body.messages[1];
  }

  test.each(["reasoning_content", "reasoning"])(
    "is sent back in %s, the field it arrived in",
    async (field) => {
      expect(await sentBack([{ [field]: "so " }, { [field]: "it is" }, tool])).toMatchObject({
        [field]: "so it is",
      });
    },
  );

  test("is sent back only during its turn", async () => {
    const message = await sentBack([{ reasoning_content: "so" }, tool], [{ role: "user", content: "next" }]);
    expect(message).not.toHaveProperty("reasoning_content");
  });

  test("is not sent to other providers", async () => {
    expect(await sentBack([{ reasoning_content: "so" }, tool], [], "other")).not.toHaveProperty(
      "reasoning_content",
    );
  });

  test("in details is sent back unchanged, with its pieces joined", async () => {
    const details = (text: string) => ({
      reasoning: text,
      reasoning_details: [{ type: "reasoning.text", text, index: 0 }],
    });
    const sealed = { reasoning_details: [{ type: "reasoning.text", signature: "s", index: 0 }] };
    const later: RequestMessage = { role: "user", content: "next" };
    expect(await sentBack([details("so "), details("it is"), sealed, tool], [later])).toMatchObject({
      reasoning_details: [{ type: "reasoning.text", text: "so it is", signature: "s", index: 0 }],
    });
  });

  test("signatures on a call are sent back with the call, as Gemini requires", async () => {
    const extra_content = { google: { thought_signature: "sig" } };
    const call = { index: 0, id: "a", function: { name: "A", arguments: "{}" }, extra_content };
    expect(await sentBack([{ tool_calls: [call] }])).toMatchObject({
      tool_calls: [{ id: "a", extra_content }],
    });
  });

  test("from Claude is only sent to Claude, and Gemini is told that a call has no signature", () => {
    const messages: RequestMessage[] = [
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "so", signature: "EqQB" },
          { type: "redacted_thinking", data: "EmwK" },
          { type: "tool_use", id: "a", name: "A", input: {} },
        ],
      },
    ];
    expect(messagesOf(messages, quirks({ thoughtSignatures: true }))).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "A", arguments: "{}" },
            extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
          },
        ],
      },
    ]);
  });
});

describe("tools", () => {
  const input_schema = { type: "object", properties: { x: { type: "string" } }, required: ["x"] };

  test("become functions", () => {
    expect(translated({ tools: [{ name: "A", description: "does", input_schema }] }).tools).toEqual([
      { type: "function", function: { name: "A", description: "does", parameters: input_schema } },
    ]);
  });

  test.each([
    [{ type: "auto" }, { tool_choice: "auto" }],
    [{ type: "any" }, { tool_choice: "required" }],
    [{ type: "none" }, { tool_choice: "none" }],
    [{ type: "tool", name: "A" }, { tool_choice: { type: "function", function: { name: "A" } } }],
    [
      { type: "auto", disable_parallel_tool_use: true },
      { tool_choice: "auto", parallel_tool_calls: false },
    ],
  ])("are selected with %j", (tool_choice, expected) => {
    expect(translated({ tools: [{ name: "A", input_schema }], tool_choice })).toMatchObject(expected);
  });

  test("with forbidden names get other names for the provider, which are reverted in the reply", async () => {
    const names = [
      "mcp__my.server__do it",
      `mcp__s__${"long".repeat(20)}`,
      "9lives",
      "ünï",
      "mcp__my_server__do_it",
    ];
    const { baseUrl, requests } = await serve((response, { body }) => {
      const calls = body.tools.map((tool: { function: { name: string } }, index: number) => ({
        index,
        id: `c${index}`,
        function: { name: tool.function.name, arguments: "{}" },
      }));
      stream(response, [
        `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls }, finish_reason: "tool_calls" }] })}\n\n`,
      ]);
    });
    const reply = await ask(
      providerAt(baseUrl),
      prompt("hi", { tools: names.map((name) => ({ name, input_schema })) }),
    );
    const sent = requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(new Set(sent).size).toBe(names.length);
    expect(reply.content.map((block) => (block.type === "tool_use" ? block.name : ""))).toEqual(names);
  });

  test("that are deferred are included once a result refers to them", () => {
    const tools = [
      { name: "A", input_schema },
      { name: "B", input_schema, defer_loading: true },
    ];
    const found = {
      type: "tool_result",
      tool_use_id: "a",
      content: [{ type: "tool_reference", tool_name: "B" }],
    } as const;
    const functions = (more: Partial<MessagesRequest>) =>
      (translated({ tools, ...more }).tools as unknown[]).length;
    expect(functions({})).toBe(1);
    expect(functions({ messages: [{ role: "user", content: [found] }] })).toBe(2);
  });

  test("that run at Anthropic are omitted, and refused by name if there are no others", () => {
    const served = { type: "web_search_20250305", name: "web_search" };
    expect(translated({ tools: [served, { name: "A", input_schema }] }).tools).toHaveLength(1);
    expect(() => translated({ tools: [served] })).toThrow(/can't use web_search/);
  });

  test("have ids of nine characters if the provider requires that, the same for call and result", () => {
    const messages = messagesOf(
      [
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_01abc", name: "A", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01abc", content: "ok" }] },
      ],
      quirks({ toolIds: "nine" }),
    ) as { tool_calls: { id: string }[]; tool_call_id: string }[];
    expect(messages[0]?.tool_calls[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(messages[1]?.tool_call_id).toBe(messages[0]?.tool_calls[0]?.id);
  });
});

test.each<[Partial<MessagesRequest>, Partial<Provider>, JsonObject]>([
  [{}, quirks({ maxTokens: "max_completion_tokens" }), { max_completion_tokens: 100 }],
  [{ max_tokens: 32_000 }, { models: { m: { maxOutputTokens: 8192 } } }, { max_tokens: 8192 }],
  [{ output_config: { effort: "max" } }, {}, { reasoning_effort: "high" }],
  [{ output_config: { effort: "low" } }, quirks({ effort: "reasoning" }), { reasoning: { effort: "low" } }],
  [{ thinking: { type: "enabled", budget_tokens: 2000 } }, {}, { reasoning_effort: "low" }],
  [{ thinking: { type: "enabled", budget_tokens: 10_000 } }, {}, { reasoning_effort: "medium" }],
  [{ thinking: { type: "enabled", budget_tokens: 30_000 } }, {}, { reasoning_effort: "high" }],
  [
    { temperature: 0.2, top_p: 0.9, stop_sequences: ["END"] },
    {},
    { temperature: 0.2, top_p: 0.9, stop: ["END"] },
  ],
  [
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    {},
    { response_format: { type: "json_schema", json_schema: { name: "reply", schema: { type: "object" } } } },
  ],
])("%j is translated to the wire's fields", (more, provider, expected) => {
  expect(translated(more, provider)).toMatchObject(expected);
});

test("a provider that always reports usage is not asked for it", () => {
  expect(translated({}, quirks({ asksForUsage: false }))).not.toHaveProperty("stream_options");
});
