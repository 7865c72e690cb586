import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { ofType, resultOf, toolResults } from "./messages.ts";
import { sdk, z } from "./official-sdk.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const ADD = use("mcp__sums__add", { a: 2, b: 3 });

/** A server in the host's process. */
function sums() {
  return sdk.createSdkMcpServer({
    name: "sums",
    version: "1.0.0",
    tools: [
      sdk.tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
        content: [{ type: "text", text: `the sum is ${a + b}` }],
      })),
      sdk.tool("explode", "Fails", {}, async () => {
        throw new Error("boom");
      }),
      sdk.tool("refuse", "Says that it failed", {}, async () => ({
        content: [{ type: "text", text: "will not" }],
        isError: true,
      })),
    ],
  });
}

describe("tools in the host's process", () => {
  test("are listed and called", async () => {
    const bench = await openBench({ steps: [ADD, say("five")] });
    const talk = await bench.ask("add", { mcpServers: { sums: sums() }, allowedTools: ["mcp__sums__add"] });
    const [init] = ofType(talk, "system");
    expect(init).toMatchObject({
      tools: expect.arrayContaining(["mcp__sums__add", "mcp__sums__explode"]),
      mcp_servers: [{ name: "sums", status: "connected" }],
    });
    expect(JSON.stringify(toolResults(talk))).toContain("the sum is 5");
    expect(resultOf(talk)).toMatchObject({ result: "five", permission_denials: [] });
  });

  test.each([
    ["throws", "explode", "boom"],
    ["reports an error", "refuse", "will not"],
  ])("return an error result if one %s, and the turn continues", async (_how, name, text) => {
    const bench = await openBench({ steps: [use(`mcp__sums__${name}`, {}), say("noted")] });
    const talk = await bench.ask("try", { mcpServers: { sums: sums() }, allowedTools: ["mcp__sums"] });
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
    expect(JSON.stringify(toolResults(talk))).toContain(text);
    expect(resultOf(talk)).toMatchObject({ result: "noted" });
  });

  test("return an error result for an invalid input", async () => {
    const bench = await openBench({ steps: [use("mcp__sums__add", { a: "two" }), say("noted")] });
    const talk = await bench.ask("add", { mcpServers: { sums: sums() }, allowedTools: ["mcp__sums"] });
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
  });

  test("need approval like other tools", async () => {
    const bench = await openBench({ steps: [ADD, say("five")] });
    const asked: string[] = [];
    const talk = await bench.ask("add", {
      mcpServers: { sums: sums() },
      canUseTool: async (name, updatedInput) => {
        asked.push(name);
        return { behavior: "allow", updatedInput };
      },
    });
    expect(asked).toEqual(["mcp__sums__add"]);
    expect(JSON.stringify(toolResults(talk))).toContain("the sum is 5");
  });
});

describe("the host", () => {
  test("queries the state of servers, and disables and enables one", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const live = openLive(bench, { mcpServers: { sums: sums() } });
    live.send("hi");
    await live.until("result");
    expect(await live.query.mcpServerStatus()).toMatchObject([
      { name: "sums", status: "connected", serverInfo: { name: "sums", version: "1.0.0" } },
    ]);
    await live.query.toggleMcpServer("sums", false);
    expect(await live.query.mcpServerStatus()).toMatchObject([{ name: "sums", status: "disabled" }]);
    await live.query.toggleMcpServer("sums", true);
    expect(await live.query.mcpServerStatus()).toMatchObject([{ name: "sums", status: "connected" }]);
    await live.end();
  });

  test("adds a server to a running session", async () => {
    const bench = await openBench({ steps: [say("hello"), ADD, say("five")] });
    const live = openLive(bench, { allowedTools: ["mcp__sums__add"] });
    live.send("hi");
    await live.until("result");
    expect(await live.query.setMcpServers({ sums: sums() })).toMatchObject({ added: ["sums"], errors: {} });
    live.send("add");
    expect(await live.until("result")).toMatchObject({ result: "five" });
    expect(JSON.stringify(toolResults(await live.end()))).toContain("the sum is 5");
  });

  test("is notified which server could not be started, and the turn runs without it", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const talk = await bench.ask("hi", { mcpServers: { gone: { command: "/nonexistent/server" } } });
    expect(ofType(talk, "system")[0]).toMatchObject({ mcp_servers: [{ name: "gone", status: "failed" }] });
    expect(resultOf(talk)).toMatchObject({ result: "hello" });
  });
});
