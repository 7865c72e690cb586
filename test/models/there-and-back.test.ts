import type { ScriptBlock, ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { says } from "../../packages/conformance/src/scripted-api/script.ts";
import { startScriptedApi } from "../../packages/conformance/src/scripted-api/server.ts";
import { chat } from "../../packages/conformance/src/scripted-api/wires/chat.ts";
import { responses } from "../../packages/conformance/src/scripted-api/wires/responses.ts";
import type { Quirks } from "../../packages/conformance/src/scripted-api/wires/wire.ts";
import { toChatRequest } from "../../packages/models/src/chat/request.ts";
import { type Provider, USUAL_QUIRKS } from "../../packages/models/src/providers/provider.ts";
import type { MessagesRequest } from "../../packages/models/src/request.ts";
import { toResponsesRequest } from "../../packages/models/src/responses/request.ts";
import { ToolNames } from "../../packages/models/src/translate/tool-names.ts";
import { ask } from "../../packages/models/test/serve.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const id = fc.stringMatching(/^toolu_[a-zA-Z0-9]{4,12}$/);
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,30}$/);
const input = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  // JSON has no -0.
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));
const base64 = fc.base64String({ minLength: 4, maxLength: 40 });

const textBlock = text.map((value) => ({ type: "text", text: value }));
const toolUse = fc.record({ type: fc.constant("tool_use"), id, name, input });
const image = base64.map((data) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
}));
const pdf = base64.map((data) => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data },
  title: "a.pdf",
}));

/** What the user or a tool says after a reply: a result for each of its calls, then text and images. */
const answerTo = (calls: readonly { readonly id: string }[]) =>
  fc.record({
    results: fc.tuple(
      ...calls.map(({ id: tool_use_id }) =>
        fc.oneof(
          text.map((content) => ({ type: "tool_result", tool_use_id, content })),
          text.map((content) => ({ type: "tool_result", tool_use_id, content, is_error: true })),
          fc
            .tuple(textBlock, image)
            .map((content) => ({ type: "tool_result", tool_use_id, content: [...content] as JsonObject[] })),
        ),
      ),
    ),
    words: fc.array(fc.oneof(textBlock, image, pdf), { minLength: calls.length === 0 ? 1 : 0, maxLength: 3 }),
  });

const exchange = fc
  .record({
    said: fc.option(textBlock),
    calls: fc.uniqueArray(toolUse, { maxLength: 3, selector: (call) => call.id }),
  })
  .filter(({ said, calls }) => said !== null || calls.length > 0)
  .chain(({ said, calls }) => answerTo(calls).map((answer) => ({ said, calls, answer })));

/** A conversation as any agent may have it. */
const conversation = fc
  .record({
    prompt: fc.array(fc.oneof(textBlock, image), { minLength: 1, maxLength: 3 }),
    exchanges: fc.array(exchange, { maxLength: 4 }),
    system: fc.option(text),
    tools: fc.uniqueArray(name, { maxLength: 3 }),
    max_tokens: fc.integer({ min: 20, max: 64_000 }),
  })
  .map(
    ({ prompt, exchanges, system, tools, max_tokens }): MessagesRequest => ({
      model: "m",
      max_tokens,
      ...(system !== null && { system }),
      messages: [
        { role: "user", content: contentOf(prompt) },
        ...exchanges.flatMap(({ said, calls, answer }) => [
          { role: "assistant" as const, content: contentOf([...(said === null ? [] : [said]), ...calls]) },
          { role: "user" as const, content: contentOf([...answer.results, ...answer.words]) },
        ]),
      ],
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({
          name: tool,
          description: "does",
          input_schema: { type: "object", properties: { x: { type: "string" } } },
        })),
      }),
    }),
  );

/** A single text is sent as a string. */
function contentOf(blocks: readonly JsonObject[]): string | readonly ContentBlock[] {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" ? String(only.text) : (blocks as ContentBlock[]);
}

const provider: Provider = {
  name: "mine",
  wire: "chat",
  baseUrl: "http://127.0.0.1:9/v1",
  headers: {},
  quirks: USUAL_QUIRKS,
  models: {},
};

describe.each([
  ["Chat Completions", toChatRequest, chat],
  ["Responses", toResponsesRequest, responses],
])("%s", (_name, toRequest, wire) => {
  test("any conversation is the same after translation there and back", () => {
    fc.assert(
      fc.property(conversation, (request) => {
        const context = {
          provider,
          model: "m",
          facts: {},
          names: new ToolNames(),
          adaptations: new Set<never>(),
        };
        const there = JSON.parse(JSON.stringify(toRequest(request, context)));
        const { stream: _stream, ...back } = wire.toMessages(there, "");
        expect(back).toEqual(JSON.parse(JSON.stringify(request)));
      }),
    );
  });
});

const block: fc.Arbitrary<ScriptBlock> = fc.oneof(
  text.map((value) => ({ type: "text" as const, text: value })),
  fc.record({ type: fc.constant("tool_use" as const), id, name, input }),
);

/** A reply as Chat Completions can have it: its text, then its calls. */
const reply = fc
  .record({
    thinking: fc.option(text),
    said: fc.option(text),
    calls: fc.uniqueArray(
      block.filter((one) => one.type === "tool_use"),
      { maxLength: 3, selector: (call) => (call.type === "tool_use" ? call.id : "") },
    ),
  })
  .filter(({ said, calls }) => (said !== null && !said.trimStart().startsWith("<")) || calls.length > 0)
  .map(({ thinking, said, calls }): readonly ScriptBlock[] => [
    ...(thinking === null ? [] : [{ type: "thinking" as const, thinking, signature: "s" }]),
    ...(said === null || said.trimStart().startsWith("<") ? [] : [{ type: "text" as const, text: said }]),
    ...calls,
  ]);

const QUIRKS: readonly Quirks[] = [
  {},
  { noIds: true },
  { sameIndex: true },
  { noIndex: true },
  { repeatedNames: true },
  { wholeArguments: true },
  { objectArguments: true },
  { emptyObjectFirst: true },
  { alwaysStop: true },
  { done: null },
  { done: "[done]" },
  { usage: "last" },
  { usage: "every" },
  { usage: "never" },
  { reasoning: "reasoning" },
  { reasoning: "details" },
  { reasoning: "parts" },
  { comments: true },
  { lineEnd: "\r\n" },
  { lineEnd: "\r" },
  { tight: true },
  { byteByByte: true },
  { neverStreams: true },
];

describe("a server's reply", () => {
  let next: ScriptStep = says("");
  const servers = new Map<Quirks, Awaited<ReturnType<typeof startScriptedApi>>>();

  beforeAll(async () => {
    const current = {
      steps: [],
      get whenExhausted() {
        return next;
      },
    };
    for (const quirks of QUIRKS) servers.set(quirks, await startScriptedApi(current, {}, 0, quirks));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.close();
  });

  test.each(QUIRKS.flatMap((quirks) => (["chat", "responses"] as const).map((wire) => ({ quirks, wire }))))(
    "with $quirks over $wire is translated to what the model said",
    async ({ quirks, wire }) => {
      const url = servers.get(quirks)?.url ?? "";
      await fc.assert(
        fc.asyncProperty(reply, fc.integer({ min: 1, max: 20 }), async (content, chunkSize) => {
          next = { content, chunkSize };
          const request = {
            model: "mine/m",
            max_tokens: 100,
            tools: [{ name: "A", input_schema: {} }],
            messages: [{ role: "user" as const, content: "go" }],
          };
          const folded = await ask({ ...provider, wire, baseUrl: `${url}/v1` }, request);
          expect(folded.content).toEqual(content.map((one) => expected(one, quirks)));
          expect(folded.stopReason).toBe(
            content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
          );
          if (quirks.usage !== "never")
            expect(folded.usage).toMatchObject({ input_tokens: 100, output_tokens: 20 });
        }),
        { numRuns: 12 },
      );
    },
  );

  function expected(one: ScriptBlock, quirks: Quirks): JsonObject {
    if (one.type === "thinking") return { ...one, signature: expect.stringMatching(/^agentwire\./) };
    return one.type === "tool_use" && quirks.noIds ? { ...one, id: expect.any(String) } : { ...one };
  }
});
