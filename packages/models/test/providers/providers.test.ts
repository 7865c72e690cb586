import { describe, expect, test } from "vitest";
import { factsOf } from "../../src/providers/provider.ts";
import { Providers } from "../../src/providers/providers.ts";

const named = (name: string, env: Record<string, string> = {}, table: object = {}) =>
  new Providers({ env, table }).named(name);

describe("a model name with a provider prefix", () => {
  test.each<[string, Record<string, string>, string, string]>([
    ["ollama/qwen3-coder:30b", {}, "http://127.0.0.1:11434/v1", "qwen3-coder:30b"],
    ["ollama/x", { OLLAMA_HOST: "0.0.0.0:9000" }, "http://127.0.0.1:9000/v1", "x"],
    ["ollama/x", { OLLAMA_HOST: "box" }, "http://box:11434/v1", "x"],
    ["ollama/x", { OLLAMA_HOST: "https://ollama.example/" }, "https://ollama.example/v1", "x"],
    ["openai/gpt-5", { OPENAI_API_KEY: "k" }, "https://api.openai.com/v1", "gpt-5"],
    [
      "openai/gpt-5",
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:1/v1/" },
      "http://127.0.0.1:1/v1",
      "gpt-5",
    ],
    [
      "azure/dep",
      { AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "https://x.openai.azure.com/" },
      "https://x.openai.azure.com/openai/v1",
      "dep",
    ],
    [
      "gemini/gemini-3-pro",
      { GEMINI_API_KEY: "k" },
      "https://generativelanguage.googleapis.com/v1beta/openai",
      "gemini-3-pro",
    ],
    ["openrouter/qwen/qwen3", { OPENROUTER_API_KEY: "k" }, "https://openrouter.ai/api/v1", "qwen/qwen3"],
    ["deepseek/deepseek-chat", { DEEPSEEK_API_KEY: "k" }, "https://api.deepseek.com/v1", "deepseek-chat"],
    ["groq/x", { GROQ_API_KEY: "k" }, "https://api.groq.com/openai/v1", "x"],
    ["mistral/x", { MISTRAL_API_KEY: "k" }, "https://api.mistral.ai/v1", "x"],
    ["xai/grok", { XAI_API_KEY: "k" }, "https://api.x.ai/v1", "grok"],
    ["lmstudio/x", {}, "http://127.0.0.1:1234/v1", "x"],
    ["vllm/x", { VLLM_BASE_URL: "http://gpu:8000/v1" }, "http://gpu:8000/v1", "x"],
    ["llamacpp/x", {}, "http://127.0.0.1:8080/v1", "x"],
  ])("resolves: %s with %j to %s", (name, env, baseUrl, model) => {
    expect(named(name, env)).toMatchObject({ provider: { baseUrl }, model });
  });

  test("resolves to its provider even without a key, whose absence is reported on the first call", () => {
    expect(named("openai/gpt-5")).toMatchObject({ provider: { name: "openai", apiKey: undefined } });
  });

  test("is left to a gateway for the Messages API if the provider is not configured", () => {
    const env = { ANTHROPIC_BASE_URL: "http://litellm" };
    expect(named("openai/gpt-5", env)).toBeUndefined();
    expect(named("openai/gpt-5", { ...env, OPENAI_API_KEY: "k" })).toBeDefined();
  });

  test.each(["claude-opus-5", "arn:aws:bedrock:us-east-1:1:inference-profile/x", "nobody/x", "opus"])(
    "does not resolve: %s",
    (name) => {
      expect(named(name)).toBeUndefined();
    },
  );
});

describe("the table in the settings", () => {
  test("can describe a custom provider", () => {
    const mine = {
      baseUrl: "http://127.0.0.1:9/v1/",
      apiKey: "k",
      headers: { "x-team": "blue", "x-n": 1 },
      models: {
        m: {
          contextWindow: 32_768,
          maxOutputTokens: 4096,
          prices: { input: 1, output: 2 },
          images: false,
          tools: "prompted",
        },
      },
    };
    const found = named("mine/m", {}, { mine });
    expect(found).toMatchObject({
      model: "m",
      provider: {
        wire: "chat",
        baseUrl: "http://127.0.0.1:9/v1",
        apiKey: "k",
        headers: { "x-team": "blue", "x-n": "1" },
      },
    });
    expect(found && factsOf(found.provider, "m")).toMatchObject({
      contextWindow: 32_768,
      images: false,
      tools: "prompted",
    });
  });

  test("can describe all models of a provider", () => {
    const mine = {
      baseUrl: "http://x/v1",
      models: { "*": { images: false, contextWindow: 8192 }, big: { contextWindow: 65_536 } },
    };
    const found = named("mine/big", {}, { mine });
    expect(found && factsOf(found.provider, "big")).toMatchObject({ contextWindow: 65_536 });
    expect(found && factsOf(found.provider, "other")).toMatchObject({ contextWindow: 8192, images: false });
  });

  test("is merged with what is known about a provider", () => {
    const openai = { wire: "chat", models: { x: { contextWindow: 1000 } } };
    expect(named("openai/x", { OPENAI_API_KEY: "k" }, { openai })).toMatchObject({
      provider: { wire: "chat", apiKey: "k", baseUrl: "https://api.openai.com/v1" },
    });
  });

  test("can describe a server that is like a known one", () => {
    const mine = { baseUrl: "http://x/v1", like: "mistral" };
    expect(named("mine/x", {}, { mine })).toMatchObject({ provider: { quirks: { toolIds: "nine" } } });
  });

  test("can choose the provider for names without a prefix", () => {
    const anthropic = { baseUrl: "http://x/v1", wire: "chat" };
    expect(named("claude-opus-5", {}, { anthropic })).toMatchObject({
      provider: { name: "anthropic" },
      model: "claude-opus-5",
    });
  });

  test("can be set by a variable, over which the settings take precedence", () => {
    const AGENTWIRE_PROVIDERS = JSON.stringify({
      a: { baseUrl: "http://a/v1" },
      b: { baseUrl: "http://b/v1" },
    });
    const providers = new Providers({
      env: { AGENTWIRE_PROVIDERS },
      table: { b: { baseUrl: "http://c/v1" } },
    });
    expect(providers.named("a/x")?.provider.baseUrl).toBe("http://a/v1");
    expect(providers.named("b/x")?.provider.baseUrl).toBe("http://c/v1");
  });

  test.each<[unknown, RegExp]>([
    ["x", /^providers.mine is not an object/],
    [{}, /needs a baseUrl/],
    [{ baseUrl: "here" }, /not a valid address: here/],
    [{ baseUrl: "file:///x" }, /not a valid address/],
    [{ baseUrl: "http://x", wire: "soap" }, /wire "soap": choose one of chat, responses, messages/],
    [{ baseUrl: "http://x", like: "nobody" }, /"like" value "nobody": choose one of openai/],
    [{ baseUrl: "http://x", models: [] }, /models that are not an object/],
    [{ baseUrl: "http://x", models: { m: 1 } }, /model m that is not an object/],
    [
      { baseUrl: "http://x", models: { m: { prices: { input: 1 } } } },
      /model m whose prices need input and output/,
    ],
  ])("has a fault if an entry is %j", (mine, fault) => {
    const { faults } = new Providers({ env: {}, table: { mine } });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  test("a variable that is not JSON is reported", () => {
    expect(new Providers({ env: { AGENTWIRE_PROVIDERS: "{" } }).faults).toEqual([
      "AGENTWIRE_PROVIDERS is not a JSON object",
    ]);
  });
});

test("providers are available if their variable is set or if they are described", () => {
  const env = { OPENAI_API_KEY: "k", OLLAMA_HOST: "127.0.0.1" };
  const providers = new Providers({ env, table: { mine: { baseUrl: "http://x/v1" } } });
  expect(providers.available.map(({ name }) => name)).toEqual(["mine", "openai", "ollama"]);
});
