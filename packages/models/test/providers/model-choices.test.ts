import { expect, test } from "vitest";
import { claudeProvider } from "../../src/providers/claude.ts";
import { foundModels } from "../../src/providers/list-models.ts";
import { modelChoices } from "../../src/providers/model-choices.ts";
import { Providers } from "../../src/providers/providers.ts";
import { serve } from "../serve.ts";

const signal = AbortSignal.timeout(20_000);

/** A server with this model list; undefined for a server without one. */
const listing = (list: object | undefined) =>
  serve((response) => response.writeHead(list ? 200 : 404).end(JSON.stringify(list ?? {})));

async function choicesOf(list: object | undefined, settings: object = {}) {
  const { baseUrl } = await listing(list);
  const providers = new Providers({ env: {}, table: { shop: { baseUrl, ...settings } } });
  const lists = await foundModels(providers, [], signal);
  return modelChoices(lists).filter(({ provider }) => provider === "shop");
}

/** The known properties of a model, without undefined ones. */
const known = (choice: object | undefined) =>
  Object.fromEntries(Object.entries(choice ?? {}).filter(([, value]) => value !== undefined));

/** Entries as these providers document them. */
test.each<[string, object, object]>([
  [
    "OpenRouter",
    {
      id: "qwen/qwen3-coder",
      created: 1753230546,
      context_length: 262144,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      pricing: { prompt: "0.00000022", completion: "0.00000095", input_cache_read: "0.00000002" },
      top_provider: { max_completion_tokens: 65536 },
      supported_parameters: ["max_tokens", "tools", "tool_choice"],
    },
    {
      contextWindow: 262144,
      maxOutputTokens: 65536,
      prices: { input: 0.22, output: 0.95, cacheRead: 0.02, cacheWrite: undefined },
      images: true,
      documents: false,
      callsTools: true,
      thinks: false,
    },
  ],
  [
    "OpenRouter with a variable price",
    { id: "qwen/qwen3-coder", pricing: { prompt: "-1", completion: "-1" } },
    {},
  ],
  [
    "Mistral",
    {
      id: "qwen/qwen3-coder",
      capabilities: { completion_chat: true, function_calling: true, vision: false },
      max_context_length: 131072,
    },
    { contextWindow: 131072, images: false, callsTools: true },
  ],
  [
    "Groq",
    { id: "qwen/qwen3-coder", context_window: 8192, max_completion_tokens: 4096 },
    { contextWindow: 8192, maxOutputTokens: 4096 },
  ],
  ["vLLM", { id: "qwen/qwen3-coder", max_model_len: 32768 }, { contextWindow: 32768 }],
  ["Gemini", { id: "models/qwen/qwen3-coder", object: "model" }, {}],
])("the properties of a model are read from a list of %s", async (_, entry, facts) => {
  const [choice] = await choicesOf({ data: [entry] });
  expect(known(choice)).toEqual({ name: "shop/qwen/qwen3-coder", provider: "shop", ...facts });
});

test("settings take precedence over the list, and describe models that are not in it", async () => {
  const prices = { input: 1, output: 2 };
  const choices = await choicesOf(
    {
      data: [
        { id: "a", context_length: 8 },
        { id: "b", context_length: 8 },
      ],
    },
    { models: { a: { contextWindow: 16, tools: "prompted" }, c: { prices } } },
  );
  expect(choices.map(known)).toMatchObject([
    { name: "shop/a", contextWindow: 16, callsTools: true },
    { name: "shop/b", contextWindow: 8 },
    { name: "shop/c", prices },
  ]);
});

test("a server without a list has the models described in the settings", async () => {
  const choices = await choicesOf(undefined, { models: { "*": { images: false }, c: {} } });
  expect(choices.map(known)).toEqual([{ name: "shop/c", provider: "shop", images: false }]);
});

test("Claude's models have plain names, the published prices and the properties from their list", async () => {
  const { baseUrl } = await listing({
    data: [
      {
        type: "model",
        id: "claude-haiku-4-5-20251001",
        max_input_tokens: 150_000,
        capabilities: { pdf_input: { supported: false } },
      },
    ],
  });
  const claude = claudeProvider({
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ""),
  });
  const lists = await foundModels(new Providers({ table: {}, env: {} }), claude ? [claude] : [], signal);
  expect(modelChoices(lists)[0]).toEqual({
    name: "claude-haiku-4-5-20251001",
    provider: "anthropic",
    contextWindow: 150_000,
    maxOutputTokens: 64_000,
    prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    images: true,
    documents: false,
    callsTools: true,
    thinks: true,
  });
});
