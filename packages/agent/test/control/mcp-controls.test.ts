import { fileURLToPath } from "node:url";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, answers, asks, is, isResult, prompt, request } from "../wire.ts";

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));
const SERVERS = JSON.stringify({ mcpServers: { kit: { command: process.execPath, args: [SERVER] } } });

async function newAgent(args: readonly string[], steps: readonly object[] = []) {
  const place = await newPlace();
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env, args: ["--mcp-config", SERVERS, ...args] });
  let count = 0;
  const ask = async (subtype: string, params: JsonObject = {}): Promise<JsonObject> => {
    const id = `r${count++}`;
    agent.send(request(id, subtype, params));
    return (await agent.line(answers(id))).response as JsonObject;
  };
  return { agent, ask, api };
}

const use = (name: string, input: JsonObject = {}) => ({
  content: [{ type: "tool_use", id: "t", name, input }],
});

describe("mcp_call", { timeout: 30_000 }, () => {
  test("calls a tool without the model and without a question", async () => {
    const { ask, api } = await newAgent(ASKED);
    expect(await ask("mcp_call", { tool: "mcp__kit__echo", arguments: { text: "hi" } })).toMatchObject({
      subtype: "success",
      response: { content: [{ type: "text", text: expect.stringContaining("echo: hi") }] },
    });
    expect(await ask("mcp_call", { tool: "mcp__kit__structured" })).toMatchObject({
      response: { structuredContent: expect.anything() },
    });
    expect(api.requests).toEqual([]);
  });

  test("returns a result that is not for the model exactly as the server sent it", async () => {
    const { ask } = await newAgent([]);
    const forModel = await ask("mcp_call", { tool: "mcp__kit__huge" });
    expect(JSON.stringify(forModel).length).toBeLessThan(10_000);
    const plain = await ask("mcp_call", { tool: "mcp__kit__huge", result_not_for_model: true });
    expect(plain).toMatchObject({ response: { content: [{ type: "text", text: "y".repeat(150_000) }] } });
  });

  test.each([
    ["is not there", { tool: "mcp__kit__none" }, { error_code: "mcp_call_not_listed" }],
    ["fails", { tool: "mcp__kit__fail" }, { error: "boom" }],
    ["takes too long", { tool: "mcp__kit__wait", timeout_ms: 1 }, { error: expect.stringContaining("kit") }],
    [
      "wants staged files",
      { tool: "mcp__kit__echo", input_files: [] },
      { error_code: "mcp_call_no_container" },
    ],
  ])("is an error where the tool %s", async (_why, params, error) => {
    const { ask } = await newAgent([]);
    expect(await ask("mcp_call", params)).toMatchObject({ subtype: "error", ...error });
  });

  test("is checked like a call by the model if the host asks for that", async () => {
    const { agent, ask } = await newAgent(ASKED);
    agent.onLine = (line) => {
      if (asks("can_use_tool")(line))
        agent.send(answer(line.request_id, { behavior: "deny", message: "no!" }));
    };
    const params = { tool: "mcp__kit__pids", check_permissions: true };
    expect(await ask("mcp_call", params)).toMatchObject({
      subtype: "error",
      error: "The tool did not run: no!",
    });
    await ask("set_permission_mode", { mode: "dontAsk" });
    expect(await ask("mcp_call", params)).toMatchObject({
      error: expect.stringMatching(/^The tool did not run: /),
    });
    expect(agent.lines.filter(asks("can_use_tool"))).toHaveLength(1);
  });

  test("can be cancelled", async () => {
    const { agent, ask } = await newAgent([]);
    agent.send(request("w", "mcp_call", { tool: "mcp__kit__wait" }));
    agent.send({ type: "control_cancel_request", request_id: "w" });
    await ask("mcp_status");
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines.filter(answers("w"))).toEqual([]);
  });
});

describe("the host restricts the tools of a server", { timeout: 30_000 }, () => {
  const ALLOWED = [...UNASKED, ...ASKED];

  test("with a mode for the server, which applies only if the session would not ask", async () => {
    const { agent, ask } = await newAgent(ALLOWED, [
      use("mcp__kit__pids"),
      { text: "1" },
      use("mcp__kit__pids"),
    ]);
    agent.onLine = (line) => {
      if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior: "allow" }));
    };
    const set = (serverName: string, mode: string | null) =>
      ask("set_mcp_permission_mode_override", { serverName, mode });
    expect(await set("kit", "default")).toEqual({ subtype: "success", request_id: "r0", response: {} });
    expect(await set("later", "auto")).toMatchObject({
      response: { warning: expect.stringContaining("later") },
    });
    expect(await set("kit", "bypassPermissions")).toMatchObject({ subtype: "error" });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(agent.lines.filter(asks("can_use_tool"))).toHaveLength(1);
    await set("kit", null);
    const from = agent.lines.length;
    agent.send(prompt("again"));
    await agent.line(isResult, from);
    expect(agent.lines.filter(asks("can_use_tool"))).toHaveLength(1);
  });

  test("with a policy for individual tools of a server in its own process", async () => {
    const { agent, ask } = await newAgent(ALLOWED, [use("mcp__own__a"), { text: "1" }]);
    const tools = ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object" } }));
    agent.onLine = (line) => {
      const inner = (line.request ?? {}) as { readonly subtype?: string; readonly message?: JsonObject };
      if (inner.subtype === "can_use_tool") agent.send(answer(line.request_id, { behavior: "allow" }));
      if (inner.subtype !== "mcp_message" || !inner.message) return;
      const { method, id } = inner.message;
      const result =
        method === "initialize"
          ? {
              protocolVersion: "2025-06-18",
              capabilities: { tools: {} },
              serverInfo: { name: "own", version: "1" },
            }
          : method === "tools/list"
            ? { tools }
            : { content: [{ type: "text", text: "ran" }] };
      agent.send(answer(line.request_id, { mcp_response: { jsonrpc: "2.0", id: id ?? 0, result } }));
    };
    await ask("initialize", {
      sdkMcpServers: ["own"],
      sdkMcpServerConfigs: {
        own: {
          tools: [
            { name: "a", permission_policy: "always_ask" },
            { name: "b", permission_policy: "always_deny" },
          ],
        },
        stranger: { timeout: 5 },
      },
    });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(agent.lines.filter(asks("can_use_tool"))).toMatchObject([
      { request: { tool_name: "mcp__own__a" } },
    ]);
    const init = agent.lines.find(is("system", "init"));
    expect(init?.tools).toContain("mcp__own__c");
    expect(init?.tools).not.toContain("mcp__own__b");
    expect(await ask("list_permission_rules")).toMatchObject({
      response: {
        state: {
          rules: expect.arrayContaining([
            expect.objectContaining({ behavior: "ask", rule: "mcp__own__a", source: "mcpServerPolicy" }),
          ]),
        },
      },
    });
  });
});
