import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.ts";
import { ofType, resultOf, toolResults } from "./messages.ts";
import { sdk } from "./official-sdk.ts";
import { offeredTools, systemText } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("systemPrompt", () => {
  /** The system prompt without the part about the environment, which is always included. */
  const promptOf = (bench: Bench) => {
    const [before, after] = systemText(bench).split(/<env>[^<]*<\/env>/);
    expect(after).toBe("");
    expect(systemText(bench)).toContain(`Working folder: ${bench.cwd}`);
    return before?.trimEnd();
  };

  test("as a string is the whole prompt, except for the environment", async () => {
    const bench = await openBench({ steps: [say("aye")] });
    await bench.ask("hi", { systemPrompt: "You are a pirate." });
    expect(promptOf(bench)).toBe("You are a pirate.");
  });

  test("that is left out is empty", async () => {
    const bench = await openBench({ steps: [say("aye")] });
    await bench.ask("hi");
    expect(promptOf(bench)).toBe("");
  });

  test("as the preset is the agent's own prompt, with the text to append at its end", async () => {
    const bench = await openBench({ steps: [say("aye")] });
    await bench.ask("hi", {
      systemPrompt: { type: "preset", preset: "claude_code", append: "Speak Latin." },
    });
    expect(systemText(bench)).toContain(bench.cwd);
    expect(systemText(bench).trimEnd()).toMatch(/Speak Latin\.$/);
  });
});

describe("tools", () => {
  test("that are disallowed are not offered", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    const talk = await bench.ask("hi", { disallowedTools: ["Bash", "WebFetch", "Agent"] });
    expect(ofType(talk, "system")[0]).toMatchObject({ tools: expect.not.arrayContaining(["Bash"]) });
    expect(offeredTools(bench)).not.toContain("Bash");
    expect(offeredTools(bench)).not.toContain("WebFetch");
    expect(offeredTools(bench)).not.toContain("Agent");
    expect(offeredTools(bench)).toContain("Read");
  });

  test.each([["mcp__sums__add"], ["mcp__sums"], ["mcp__sums__*"], ["mcp__*"]])(
    "of a server disallowed as %s are not offered",
    async (rule) => {
      const add = sdk.tool("add", "Adds", {}, async () => ({ content: [] }));
      const sums = sdk.createSdkMcpServer({ name: "sums", version: "1.0.0", tools: [add] });
      const bench = await openBench({ steps: [say("ok")] });
      const talk = await bench.ask("hi", { mcpServers: { sums }, disallowedTools: [rule] });
      expect(ofType(talk, "system")[0]).toMatchObject({ mcp_servers: [{ status: "connected" }] });
      expect(offeredTools(bench)).not.toContain("mcp__sums__add");
    },
  );

  test("that the settings deny without a pattern are not offered", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    await bench.ask("hi", { settings: { permissions: { deny: ["Bash", "Read(./secret)"] } } });
    expect(offeredTools(bench)).not.toContain("Bash");
    expect(offeredTools(bench)).toContain("Read");
  });

  test("that are disallowed can't be called", async () => {
    const bench = await openBench({
      steps: [use("Bash", { command: "echo hi", description: "x" }), say("ok")],
    });
    const talk = await bench.ask("hi", { disallowedTools: ["Bash"] });
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
  });

  test("that are allowed, but disallowed by a rule, are denied", async () => {
    const bench = await openBench({
      steps: [use("Bash", { command: "touch x", description: "x" }), say("ok")],
    });
    const talk = await bench.ask("hi", { allowedTools: ["Bash"], disallowedTools: ["Bash(touch:*)"] });
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
    expect(resultOf(talk).permission_denials).toMatchObject([{ tool_name: "Bash" }]);
  });

  test("can be limited to a list", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    await bench.ask("hi", { tools: ["Read", "Grep", "Agent"] });
    expect([...offeredTools(bench)].sort()).toEqual(["Agent", "Grep", "Read"]);
  });

  test("can all be removed", async () => {
    const bench = await openBench({ steps: [] });
    const talk = await bench.ask("hi", { tools: [] });
    expect(ofType(talk, "system")[0]).toMatchObject({ tools: [] });
    expect(offeredTools(bench)).toEqual([]);
    expect(resultOf(talk)).toMatchObject({ subtype: "success" });
  });
});

describe("additionalDirectories", () => {
  const READ = use("Read", { file_path: "{{root}}/other/far.txt" });

  test.each([
    ["lets files in the other folder be read", true],
    ["without a value denies files in the other folder", false],
  ])("%s", async (_title, given) => {
    const bench = await openBench({ steps: [READ, say("ok")] });
    const other = join(bench.cwd, "../other");
    mkdirSync(other);
    writeFileSync(join(other, "far.txt"), "far away");
    const talk = await bench.ask("read", given ? { additionalDirectories: [other] } : {});
    expect(JSON.stringify(toolResults(talk)).includes("far away")).toBe(given);
  });
});

describe("settingSources", () => {
  const DENYING = { permissions: { deny: ["Read(./secret.txt)"] } };
  const FILES = {
    "secret.txt": "top secret",
    "CLAUDE.md": "Always answer in rhyme.",
    ".claude/settings.json": JSON.stringify(DENYING),
  };
  const READ = use("Read", { file_path: "{{cwd}}/secret.txt" });
  const preset: Options = { systemPrompt: { type: "preset", preset: "claude_code" } };

  test("decides whether the project's settings and memory apply", async () => {
    const bench = await openBench({ steps: [READ, say("ok")] }, FILES);
    const talk = await bench.ask("read", { ...preset, settingSources: ["project"] });
    expect(JSON.stringify(toolResults(talk))).not.toContain("top secret");
    expect(JSON.stringify(bench.api.requests[0]?.body)).toContain("Always answer in rhyme.");
  });

  test("as an empty list loads nothing from files", async () => {
    const bench = await openBench({ steps: [READ, say("ok")] }, FILES);
    const talk = await bench.ask("read", { ...preset, settingSources: [] });
    expect(JSON.stringify(toolResults(talk))).toContain("top secret");
    expect(JSON.stringify(bench.api.requests[0]?.body)).not.toContain("Always answer in rhyme.");
  });
});

describe("the request to the model", () => {
  test("follows model, thinking, effort and betas", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    await bench.ask("hi", {
      model: "claude-sonnet-4-5",
      thinking: { type: "enabled", budgetTokens: 3000 },
      effort: "low",
      betas: ["context-1m-2025-08-07"],
    });
    expect(bench.api.requests[0]?.body).toMatchObject({
      model: "claude-sonnet-4-5",
      thinking: { type: "enabled", budget_tokens: 3000 },
      output_config: { effort: "low" },
    });
    expect(bench.api.requests[0]?.headers["anthropic-beta"]).toContain("context-1m-2025-08-07");
  });
});
