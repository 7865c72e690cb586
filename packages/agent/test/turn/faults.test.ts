import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, holds, is, isResult, prompt, request, textOf } from "../wire.ts";

/** Plays an MCP server in the host whose only prompt is unavailable. */
function mcpAnswer({ method, id }: JsonObject): JsonObject {
  const reply = (result: JsonObject) => ({ mcp_response: { jsonrpc: "2.0", id: id ?? 0, result } });
  if (method === "initialize")
    return reply({
      protocolVersion: "2025-11-25",
      capabilities: { prompts: {} },
      serverInfo: { name: "notes", version: "1" },
    });
  if (method === "prompts/list") return reply({ prompts: [{ name: "broken" }] });
  if (method === "prompts/get")
    return { mcp_response: { jsonrpc: "2.0", id, error: { code: -32000, message: "the shelf is empty" } } };
  return reply({});
}

describe("a turn that fails", { timeout: 30_000 }, () => {
  test("before the model call still ends with a result, and the process continues", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "all is well" } });
    const agent = openAgent(place, { env: api.env });
    agent.onLine = (line) => {
      const asked = line.request as JsonObject | undefined;
      if (asked?.subtype === "mcp_message")
        agent.send(answer(line.request_id, mcpAnswer(asked.message as JsonObject)));
    };
    agent.send(request("hello", "initialize", { sdkMcpServers: ["notes"] }), prompt("hi"));
    expect(await agent.line(is("system", "init"))).toMatchObject({
      slash_commands: expect.arrayContaining(["mcp__notes__broken"]),
    });
    await agent.line(isResult);
    const from = agent.lines.length;
    agent.send(prompt("/mcp__notes__broken"));
    expect(await agent.line(isResult, from)).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      errors: [expect.stringContaining("the shelf is empty")],
    });
    agent.send(prompt("and now?"));
    await agent.line((line) => isResult(line) && line.result === "all is well", from);
  });

  test.each([
    { input: "invalid JSON", block: { rawInput: '{"command": "touch' }, says: /JSON/ },
    { input: "input of the wrong shape", block: { input: { command: 7, timeout: "soon" } }, says: /Bash/ },
  ])("because of $input for a tool reports that to the model", async ({ block, says }) => {
    const place = await newPlace();
    const call = { type: "tool_use", name: "Bash", ...block };
    const api = await newApi({ steps: [{ content: [call] }, { text: "I see" }] });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ subtype: "success", result: "I see" });
    const told = agent.lines.find(holds("tool_result"));
    expect(textOf(told?.message)).toMatch(says);
  });

  test("because a hook returned an invalid input reports that to the model and runs nothing", async () => {
    const place = await newPlace();
    const call = { type: "tool_use", name: "Bash", input: { command: "touch made" } };
    const api = await newApi({ steps: [{ content: [call] }, { text: "I see" }] });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.onLine = (line) => {
      if (line.type !== "control_request") return;
      const hookSpecificOutput = {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: ["not", "a", "text"] },
      };
      agent.send(answer(line.request_id, { hookSpecificOutput }));
    };
    agent.send(
      request("hello", "initialize", { hooks: { PreToolUse: [{ hookCallbackIds: ["h"] }] } }),
      prompt("go"),
    );
    expect(await agent.line(isResult)).toMatchObject({ subtype: "success" });
    expect(textOf(agent.lines.find(holds("tool_result"))?.message)).toContain("InputValidationError");
  });
});

describe("a prompt", { timeout: 30_000 }, () => {
  test("that was sent before is not answered again, but its receipt is repeated if receipts are requested", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env, args: ["--replay-user-messages"] });
    const uuid = "0d3f6a3e-0b1c-4a52-9d5e-6b1f1b7a0001";
    agent.send(prompt("once", { uuid }));
    await agent.line(isResult);
    agent.send(prompt("once", { uuid }));
    agent.input.end();
    await agent.ended();
    expect(agent.lines.filter(isResult)).toHaveLength(1);
    expect(agent.lines.filter((line) => line.isReplay === true)).toMatchObject([{ uuid }, { uuid }]);
  });

  test("without text is still answered", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "yes?" } });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("  "));
    expect(await agent.line(isResult)).toMatchObject({ subtype: "success", result: "yes?" });
    expect((await api.request(0)).body.messages).toHaveLength(1);
  });
});
