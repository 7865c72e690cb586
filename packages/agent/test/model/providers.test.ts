import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { calls, fails, says, toolUse } from "../../../conformance/src/scripted-api/script.ts";
import { startScriptedApi } from "../../../conformance/src/scripted-api/server.ts";
import { openAgent } from "../agent-process.ts";
import { UNASKED } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

async function newServer(...steps: Script["steps"]) {
  const api = await startScriptedApi({ steps });
  onTestFinished(() => api.close());
  return { ...api, baseUrl: `${api.url}/v1` };
}

async function settle(place: Place, settings: JsonObject): Promise<void> {
  await mkdir(place.configDir, { recursive: true });
  await writeFile(join(place.configDir, "settings.json"), JSON.stringify(settings));
}

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a model of another provider", { timeout: 30_000 }, () => {
  test.each(["chat", "responses"])(
    "runs tools over %s, and costs what its provider charges",
    async (wire) => {
      const place = await newPlace();
      const server = await newServer(
        calls("Bash", { command: "echo made it", description: "say" }),
        says("done"),
      );
      const models = {
        m: { contextWindow: 32_768, maxOutputTokens: 4096, prices: { input: 10, output: 100 } },
      };
      await settle(place, { providers: { mine: { wire, baseUrl: server.baseUrl, apiKey: "k", models } } });
      const agent = openAgent(place, { args: [...UNASKED, "--model", "mine/m"] });
      agent.send(prompt("go"));
      const result = await agent.line(isResult);
      expect(result).toMatchObject({ subtype: "success", result: "done", is_error: false });
      expect(agent.lines.find(is("system", "init"))).toMatchObject({ model: "mine/m" });
      expect(agent.complaints()).toBe("");
      const [first] = server.requests.turns;
      expect(first?.path).toBe(wire === "chat" ? "/v1/chat/completions" : "/v1/responses");
      expect(first?.headers.authorization).toBe("Bearer k");
      expect(first?.body).toMatchObject({ model: "m", max_tokens: 4096 });
      expect(server.requests.sent(1, "made it")).toBe(true);
      expect(result.total_cost_usd).toBeCloseTo((2 * (100 * 10 + 20 * 100)) / 1_000_000, 10);
      expect(result.modelUsage).toMatchObject({ "mine/m": { contextWindow: 32_768, maxOutputTokens: 4096 } });
    },
  );

  test("with an unknown price has an unknown cost, not a cost of zero", async () => {
    const server = await newServer(says("done"));
    const agent = openAgent(await newPlace(), {
      args: ["--model", "ollama/qwen3-coder"],
      env: { OLLAMA_HOST: server.url.replace("http://", "") },
    });
    agent.send(prompt("go"));
    const result = await agent.line(isResult);
    expect(result).toMatchObject({ result: "done" });
    expect(result).not.toHaveProperty("total_cost_usd");
    expect(server.requests.turns[0]?.sent).toMatchObject({ model: "qwen3-coder" });
    expect(server.requests.turns[0]?.sent).not.toHaveProperty("max_tokens");
  });

  test("is used wherever it is named, and replaces Claude if Claude is not available", async () => {
    const agentCall = (input: object) => calls("Agent", { description: "look", prompt: "look", ...input });
    const server = await newServer(
      agentCall({}),
      says("seen"),
      agentCall({ model: "haiku" }),
      says("seen"),
      agentCall({ model: "sonnet" }),
      says("seen"),
      says("done"),
    );
    const agent = openAgent(await newPlace(), {
      args: UNASKED,
      env: {
        AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: server.baseUrl } }),
        ANTHROPIC_MODEL: "mine/main",
        ANTHROPIC_DEFAULT_HAIKU_MODEL: "mine/tiny",
        CLAUDE_CODE_SUBAGENT_MODEL: "mine/helper",
      },
    });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(server.requests.models()).toEqual(["main", "helper", "main", "tiny", "main", "main", "main"]);
  });

  test("can be selected and left during a session, and an unknown one is refused", async () => {
    const server = await newServer(says("one"), says("two"));
    const agent = openAgent(await newPlace(), {
      args: ["--model", "mine/a"],
      env: { AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: server.baseUrl } }) },
    });
    agent.send(prompt("go"));
    await agent.line(isResult);
    agent.send(request("r1", "set_model", { model: "mine/b" }));
    expect(await agent.line(answers("r1"))).toMatchObject({ response: { subtype: "success" } });
    agent.send(request("r2", "set_model", { model: "openai/gpt-5" }));
    const refused = await agent.line(answers("r2"));
    expect(JSON.stringify(refused)).toContain("OPENAI_API_KEY");
    const seen = agent.lines.length;
    agent.send(prompt("go on"));
    await agent.line(isResult, seen);
    expect(server.requests.models()).toEqual(["a", "b"]);
  });

  test("thinks, and receives its thinking back during the turn", async () => {
    const thinking = { type: "thinking", thinking: "so", signature: "s" } as const;
    const call = toolUse("Bash", { command: "true", description: "x" });
    const server = await newServer({ content: [thinking, call] }, says("done"));
    const agent = openAgent(await newPlace(), {
      args: [...UNASKED, "--model", "mine/a"],
      env: { AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: server.baseUrl } }) },
    });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(server.requests.turns[1]?.sent.messages).toMatchObject([
      {},
      {},
      { role: "assistant", reasoning_content: "so" },
      {},
    ]);
  });

  test("is replaced by the next fallback when it is overloaded, and its thinking is not sent to Claude", async () => {
    const thinking = { type: "thinking", thinking: "so", signature: "s" } as const;
    const call = toolUse("Bash", { command: "true", description: "x" });
    const first = await newServer(
      { content: [thinking, call] },
      fails(503, "overloaded_error", "Overloaded", { repeat: 3, headers: { "retry-after-ms": "1" } }),
    );
    const claude = await newServer(says("done"));
    const agent = openAgent(await newPlace(), {
      args: [...UNASKED, "--model", "mine/a", "--fallback-model", "claude-sonnet-5-5"],
      env: {
        AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: first.baseUrl } }),
        ANTHROPIC_BASE_URL: claude.url,
        ANTHROPIC_API_KEY: "k",
      },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(agent.lines.find(is("system", "informational"))).toMatchObject({
      content: "mine/a is overloaded; claude-sonnet-5-5 answers for the rest of this turn.",
    });
    expect(claude.requests.models()).toEqual(["claude-sonnet-5-5"]);
    expect(JSON.stringify(claude.requests.messages(0))).not.toContain("thinking");
  });

  test("is replaced by a larger one when the conversation is too long for it", async () => {
    const small = await newServer(fails(400, "invalid_request_error", "prompt is too long"));
    const large = await newServer(says("done"));
    const providers = {
      small: { baseUrl: small.baseUrl, models: { a: { contextWindow: 8192 } } },
      large: { baseUrl: large.baseUrl, models: { b: { contextWindow: 100_000 } } },
    };
    const agent = openAgent(await newPlace(), {
      args: ["--model", "small/a", "--fallback-model", "large/b"],
      env: { AGENTWIRE_PROVIDERS: JSON.stringify(providers) },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(large.requests.models()).toEqual(["b"]);
  });

  test("has a role: images and thinking go to the models configured for them", async () => {
    const place = await newPlace();
    const server = await newServer(says("one"), says("two"), says("three"));
    await settle(place, {
      providers: { mine: { baseUrl: server.baseUrl } },
      modelRoles: { images: "mine/eye", thinking: "mine/brain", small: "mine/tiny" },
    });
    const agent = openAgent(place, { args: ["--model", "mine/main"] });
    const go = async (line: JsonObject) => {
      const seen = agent.lines.length;
      agent.send(line);
      await agent.line(isResult, seen);
    };
    await go(prompt("go"));
    agent.send(request("r1", "set_max_thinking_tokens", { max_thinking_tokens: 2000 }));
    await agent.line(answers("r1"));
    await go(prompt("think"));
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
    await go({ type: "user", message: { role: "user", content: [image, { type: "text", text: "look" }] } });
    expect(server.requests.models()).toEqual(["main", "brain", "eye"]);
    expect(server.requests.turns[1]?.sent).toMatchObject({ reasoning_effort: "low" });
  });

  test("without image support receives a text instead of the image, and the host is notified", async () => {
    const server = await newServer(says("I see nothing"));
    const providers = { mine: { baseUrl: server.baseUrl, models: { m: { images: false } } } };
    const agent = openAgent(await newPlace(), {
      args: ["--model", "mine/m"],
      env: { AGENTWIRE_PROVIDERS: JSON.stringify(providers) },
    });
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
    agent.send({ type: "user", message: { role: "user", content: [image, { type: "text", text: "look" }] } });
    expect(await agent.line(isResult)).toMatchObject({ result: "I see nothing" });
    expect(JSON.stringify(agent.lines.filter(is("system", "informational")))).toContain(
      "mine/m can't take this image",
    );
  });

  test("can't be described or selected by an untrusted folder", async () => {
    const place = await newPlace({ isTrusted: false });
    const server = await newServer();
    await mkdir(join(place.cwd, ".claude"));
    const providers = { mine: { baseUrl: server.baseUrl } };
    await writeFile(
      join(place.cwd, ".claude/settings.json"),
      JSON.stringify({ providers, model: "ollama/x" }),
    );
    const agent = openAgent(place, { env: { OLLAMA_HOST: server.url } });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(server.requests.all).toEqual([]);
    expect(agent.lines.find(is("system", "init"))).toMatchObject({ model: "offline-demo" });
  });

  test.each([
    [true, 2],
    [false, 0],
  ])(
    "is used by a folder's agents and commands only if the folder is trusted (%s)",
    async (isTrusted, count) => {
      const place = await newPlace({ isTrusted });
      const input = {
        description: "look",
        prompt: "look",
        subagent_type: "helper",
        run_in_background: false,
      };
      const mine = await newServer(calls("Agent", input), ...Array.from({ length: 4 }, () => says("mine")));
      const theirs = await newServer(says("theirs"), says("theirs"));
      const file = "---\nname: helper\ndescription: helps\nmodel: ollama/x\n---\nDo it.\n";
      for (const folder of ["agents", "commands"]) {
        await mkdir(join(place.cwd, ".claude", folder), { recursive: true });
        await writeFile(join(place.cwd, ".claude", folder, "helper.md"), file);
      }
      await settle(place, { providers: { mine: { baseUrl: mine.baseUrl } } });
      const agent = openAgent(place, {
        args: [...UNASKED, "--model", "mine/m"],
        env: { OLLAMA_HOST: theirs.url },
      });
      agent.send(prompt("go"));
      await agent.line(isResult);
      const from = agent.lines.length;
      agent.send(prompt("/helper"));
      await agent.line(isResult, from);
      expect(theirs.requests.all).toHaveLength(count);
    },
  );

  test("with an invalid description is reported on stderr, and the others work", async () => {
    const server = await newServer(says("done"));
    const agent = openAgent(await newPlace(), {
      args: ["--model", "mine/a"],
      env: { AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: server.baseUrl }, wrong: {} }) },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(agent.complaints()).toContain("providers.wrong needs a baseUrl");
  });

  test("that can't be reached is reported with its address", async () => {
    const agent = openAgent(await newPlace(), {
      args: ["--model", "ollama/x"],
      env: { OLLAMA_HOST: "127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    agent.send(prompt("go"));
    const result = await agent.line(isResult);
    expect(result).toMatchObject({ is_error: true });
    expect(result.result).toContain("could not reach ollama at http://127.0.0.1:9/v1");
  });

  test("is offered to the host together with those of Claude", async () => {
    const agent = openAgent(await newPlace(), {
      env: {
        AGENTWIRE_PROVIDERS: JSON.stringify({
          mine: { baseUrl: "http://127.0.0.1:9/v1", models: { a: {} } },
        }),
      },
    });
    agent.send(request("r1", "list_models"));
    expect(JSON.stringify(await agent.line(answers("r1")))).toContain('"value":"mine/a"');
  });
});

describe("an unknown provider", { timeout: 30_000 }, () => {
  const NONE = "There is no provider nosuch for the model nosuch/x.";

  test("is reported instead of a reply, with how to add it, wherever its model is named", async () => {
    const place = await newPlace();
    const file = "---\nname: helper\ndescription: helps\nmodel: nosuch/x\n---\nDo it.\n";
    await mkdir(join(place.configDir, "agents"), { recursive: true });
    await writeFile(join(place.configDir, "agents", "helper.md"), file);
    const input = { description: "look", prompt: "look", run_in_background: false };
    const server = await newServer(
      calls("Agent", { ...input, subagent_type: "helper" }),
      calls("Agent", { ...input, model: "opus" }),
      says("done"),
    );
    const agent = openAgent(place, {
      args: UNASKED,
      env: {
        AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl: server.baseUrl } }),
        ANTHROPIC_MODEL: "mine/main",
        ANTHROPIC_DEFAULT_OPUS_MODEL: "nosuch/x",
      },
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(server.requests.models()).toEqual(["main", "main", "main"]);
    expect([1, 2].map((turn) => server.requests.sent(turn, NONE))).toEqual([true, true]);
    agent.send(request("r1", "set_model", { model: "nosuch/x" }));
    expect(JSON.stringify(await agent.line(answers("r1")))).toContain(NONE);
  });

  test("is skipped in favor of a fallback, and is ignored in a role", async () => {
    const place = await newPlace();
    const server = await newServer(says("one"), says("two"));
    await settle(place, {
      providers: { mine: { baseUrl: server.baseUrl } },
      fallbackModel: ["nosuch/y", "mine/b"],
      modelRoles: { images: "nosuch/eye" },
    });
    const agent = openAgent(place, { args: ["--model", "nosuch/x"] });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "one" });
    const seen = agent.lines.length;
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
    agent.send({ type: "user", message: { role: "user", content: [image, { type: "text", text: "look" }] } });
    expect(await agent.line(isResult, seen)).toMatchObject({ result: "two" });
    expect(server.requests.models()).toEqual(["b", "b"]);
  });

  test.each([
    ["nosuch/x", {}, "There is no provider nosuch for the model nosuch/x. Known providers: openai, azure,"],
    ["nosuch/x", {}, '{"providers": {"nosuch": {"baseUrl": "https://…/v1"}}}'],
    ["azure/x", {}, "set AZURE_OPENAI_ENDPOINT to the address of azure"],
    ["wrong/x", { AGENTWIRE_PROVIDERS: '{"wrong":{}}' }, "providers.wrong needs a baseUrl in the settings"],
    ["nosuch/x", { ANTHROPIC_API_KEY: "key" }, NONE],
  ])("%s with %j reaches neither the offline demo nor Claude", async (model, env, text) => {
    const agent = openAgent(await newPlace(), { args: ["--model", model], env });
    agent.send(prompt("go"));
    const result = await agent.line(isResult);
    expect(result).toMatchObject({ is_error: true, api_error_status: 404 });
    expect(result.result).toContain(text);
    expect(agent.complaints()).not.toContain("offline");
  });
});
