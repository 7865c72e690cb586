import { mkdirSync, writeFileSync } from "node:fs";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { expect, test, vi } from "vitest";
import { collect, openBench } from "./bench.ts";
import { ofType, resultOf } from "./messages.ts";
import { sdk, z } from "./official-sdk.ts";
import { offeredTools } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

test("a process started ahead serves the folder that claims it, with the host's hooks and servers", async () => {
  const bench = await openBench({ steps: [use("mcp__sums__add", {}), say("hello")] });
  mkdirSync(bench.path("later"));
  writeFileSync(bench.path("later/CLAUDE.md"), "Rhyme.");
  const add = sdk.tool("add", "Adds", { a: z.number().optional() }, async () => ({
    content: [{ type: "text", text: "five" }],
  }));
  const called: string[] = [];
  const spare = await sdk.prewarm({
    options: {
      pathToClaudeCodeExecutable: bench.agent,
      env: bench.env,
      settingSources: ["project"],
      systemPrompt: { type: "preset", preset: "claude_code" },
      mcpServers: { sums: sdk.createSdkMcpServer({ name: "sums", version: "1.0.0", tools: [add] }) },
      allowedTools: ["mcp__sums"],
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async ({ cwd }) => {
                called.push(cwd);
                return {};
              },
            ],
          },
        ],
      },
    },
  });
  const query = spare.claim({
    prompt: "hi",
    options: {
      cwd: bench.path("later"),
      model: "claude-haiku-4-5",
      permissionMode: "acceptEdits",
      appendSystemPrompt: "Be brief.",
      settings: { effortLevel: "low", outputStyle: "default" },
    },
  });
  const talk = await collect(query);
  expect(await spare.claimed).toMatchObject({
    cwd: bench.path("later"),
    sessionId: resultOf(talk).session_id,
  });
  expect(resultOf(talk)).toMatchObject({ result: "hello" });
  expect(ofType(talk, "system").find(({ subtype }) => subtype === "init")).toMatchObject({
    cwd: bench.path("later"),
    model: "claude-haiku-4-5",
    permissionMode: "acceptEdits",
  });
  expect(called).toEqual([bench.path("later")]);
  const turns = bench.api.requests.filter(({ body }) => body.max_tokens !== 1);
  expect(JSON.stringify(turns.at(-1)?.body.messages)).toContain("five");
  expect(JSON.stringify(turns[0]?.body)).toContain("Rhyme.");
  expect(JSON.stringify(turns[0]?.body)).toContain("Be brief.");
});

test("a claim that can't be fulfilled rejects, and no prompt runs", async () => {
  const bench = await openBench({ steps: [say("never said")] });
  const options = { pathToClaudeCodeExecutable: bench.agent, env: bench.env };
  const spare = await sdk.prewarm({ options });
  const talk = collect(spare.claim({ prompt: "hi", options: { cwd: bench.path("nowhere") } }));
  await expect(spare.claimed).rejects.toThrow(/cwd_not_found/);
  expect(resultOf(await talk)).toMatchObject({ errors: [expect.stringMatching(/^not_claimed/)] });
  expect(bench.api.requests).toEqual([]);
});

test("an unclaimed process is ended", async () => {
  const bench = await openBench({ steps: [] });
  const spare = await sdk.prewarm({
    options: { pathToClaudeCodeExecutable: bench.agent, env: bench.env },
  });
  await spare[Symbol.asyncDispose]();
  await expect(spare.claimed).rejects.toThrow(/spare_/);
});

test.each(["argv", "initialize"])(
  "managed settings delivered by %s are enforced",
  async (managedSettingsDelivery) => {
    const bench = await openBench({ steps: [say("ok")] });
    const managedSettings = { permissions: { deny: ["Bash"] } };
    const options: Options & { readonly managedSettingsDelivery: string } = {
      managedSettings,
      managedSettingsDelivery,
    };
    const talk = await bench.ask("hi", options);
    expect(talk.error).toBeUndefined();
    expect(offeredTools(bench)).not.toContain("Bash");
    expect(offeredTools(bench)).toContain("Read");
  },
);
