import { fileURLToPath } from "node:url";
import type { ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi, UNASKED } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));
const ECHO = "mcp__test__echo";

const config = (more: JsonObject = {}, mode = "good") =>
  JSON.stringify({ mcpServers: { test: { command: process.execPath, args: [SERVER, mode], ...more } } });

const use = (name: string, input: JsonObject): ScriptReply => ({
  content: [{ type: "tool_use", name, input }],
});
const SEARCH = use("ToolSearch", { query: `select:${ECHO}` });

/** Runs one turn and returns the tools offered in each request. */
async function turn(
  steps: readonly ScriptReply[],
  args: readonly string[],
  { place, env = {} }: { readonly place?: Place; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place ?? (await newPlace()), {
    env: { ...api.env, ...env },
    args: [...UNASKED, ...args],
  });
  agent.send(prompt("go"));
  const result = await agent.line(isResult);
  agent.send(request("usage", "get_context_usage"));
  const usage = await agent.line(answers("usage"));
  agent.input.end();
  await agent.ended();
  const tools = (index: number) => (api.requests[index]?.body.tools ?? []) as JsonObject[];
  return { api, agent, result, usage: JSON.stringify(usage), tools };
}

const named = (tools: readonly JsonObject[], name: string) => tools.find((tool) => tool.name === name);

describe("the tools of an MCP server", { timeout: 30_000 }, () => {
  test("are listed for the host, but sent to the model only after it has searched for them", async () => {
    const { agent, api, tools, usage } = await turn(
      [SEARCH, use(ECHO, { text: "hi" }), { text: "done" }],
      ["--mcp-config", config()],
    );
    expect(agent.lines.find((line) => line.subtype === "init")?.tools).toContain(ECHO);
    expect(named(tools(0), ECHO)).toBeUndefined();
    expect(named(tools(0), "ToolSearch")?.description).toContain(ECHO);
    expect(named(tools(1), ECHO)).toMatchObject({ defer_loading: true, description: "About echo." });
    expect(named(tools(1), "mcp__test__fail")).toBeUndefined();
    // The API rejects a cache breakpoint on a deferred tool.
    expect(tools(1).filter((tool) => tool.cache_control)).toHaveLength(1);
    expect(named(tools(1), ECHO)).not.toHaveProperty("cache_control");
    expect(api.requests[1]?.body.messages).toMatchObject([
      {},
      {},
      { content: [{ content: [{ type: "tool_reference", tool_name: ECHO }] }] },
    ]);
    expect(JSON.stringify(api.requests[2]?.body.messages)).toContain("echo: hi");
    expect(usage).toContain("mcp_tools_deferred");
  });

  test("remain available when the session is resumed, even without the server", async () => {
    const place = await newPlace();
    const { result } = await turn([SEARCH, { text: "found" }], ["--mcp-config", config()], { place });
    const resume = ["--resume", String(result.session_id)];
    const later = await turn([], [...resume, "--mcp-config", config()], { place });
    expect(named(later.tools(0), ECHO)).toMatchObject({ defer_loading: true, description: "About echo." });
    const without = await turn([], resume, { place });
    expect(named(without.tools(0), ECHO)).toMatchObject({
      defer_loading: true,
      description: "No longer available.",
    });
  });

  test.each([
    ["the server's configuration says so", ["--mcp-config", config({ alwaysLoad: true })], {}],
    ["there is no tool to search with", ["--mcp-config", config(), "--tools", "Read"], {}],
    ["the environment says so", ["--mcp-config", config()], { ENABLE_TOOL_SEARCH: "false" }],
  ])("are all sent from the start if %s", async (_, args, env) => {
    const { tools } = await turn([], args, { env });
    expect(named(tools(0), ECHO)).toMatchObject({ description: "About echo." });
    expect(named(tools(0), ECHO)).not.toHaveProperty("defer_loading");
  });

  test("are sent with the server's instructions, up to a limit", async () => {
    const { api } = await turn([], ["--mcp-config", config({}, "talkative")]);
    const system = JSON.stringify(api.requests[0]?.body.system);
    expect(system).toContain("Ask me anything.");
    expect(system).toContain("[cut]");
    expect(system.length).toBeLessThan(10_000);
  });

  test("that are already loaded are reported as such", async () => {
    const { api } = await turn([use("ToolSearch", { query: "select:Bash" })], []);
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain("You have these already: Bash");
  });
});
