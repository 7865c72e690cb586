import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startScriptedApi } from "../../packages/conformance/src/scripted-api/server.ts";
import { installPackages } from "../install.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** The part of the client used here. The test installs the client, so its types are not available. */
interface OpenAi {
  readonly chat: {
    readonly completions: { stream(body: object): { finalChatCompletion(): Promise<unknown> } };
  };
  readonly responses: { stream(body: object): { finalResponse(): Promise<unknown> } };
}

const REPLY = {
  content: [
    { type: "thinking", thinking: "Where?", signature: "s" },
    { type: "text", text: "I look." },
    { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Zürich 😀" } },
    { type: "tool_use", id: "toolu_2", name: "weather", input: { city: "Bern" } },
  ],
  usage: { input_tokens: 50, cache_read_input_tokens: 30, output_tokens: 9 },
};
const PARAMETERS = { type: "object", properties: { city: { type: "string" } } };

let api: Awaited<ReturnType<typeof startScriptedApi>>;
let client: OpenAi;
beforeAll(async () => {
  await installPackages(FOLDER);
  api = await startScriptedApi({ steps: [REPLY, REPLY] }, {}, 0, { byteByByte: true });
  const { OpenAI } = (await import("./node_modules/openai/index.mjs" as string)) as {
    readonly OpenAI: new (options: object) => OpenAi;
  };
  client = new OpenAI({ baseURL: `${api.url}/v1`, apiKey: "any" });
}, 600_000);
afterAll(() => api.close());

test("the vendor's client reads a scripted reply as Chat Completions", async () => {
  const stream = client.chat.completions.stream({
    model: "m",
    max_completion_tokens: 100,
    messages: [{ role: "user", content: "How is the weather?" }],
    tools: [{ type: "function", function: { name: "weather", parameters: PARAMETERS } }],
    stream_options: { include_usage: true },
  });
  expect(await stream.finalChatCompletion()).toMatchObject({
    choices: [
      {
        finish_reason: "tool_calls",
        message: {
          content: "I look.",
          tool_calls: [
            { id: "toolu_1", function: { name: "weather", arguments: '{"city":"Zürich 😀"}' } },
            { id: "toolu_2", function: { name: "weather", arguments: '{"city":"Bern"}' } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 80, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 30 } },
  });
});

test("the vendor's client reads a scripted reply as Responses", async () => {
  const stream = client.responses.stream({
    model: "m",
    max_output_tokens: 100,
    input: "How is the weather?",
    tools: [{ type: "function", name: "weather", parameters: PARAMETERS, strict: false }],
  });
  expect(await stream.finalResponse()).toMatchObject({
    status: "completed",
    output_text: "I look.",
    output: [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Where?" }] },
      { type: "message", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "toolu_1", name: "weather", arguments: '{"city":"Zürich 😀"}' },
      { type: "function_call", call_id: "toolu_2", name: "weather", arguments: '{"city":"Bern"}' },
    ],
    usage: { input_tokens: 80, output_tokens: 9, input_tokens_details: { cached_tokens: 30 } },
  });
});
