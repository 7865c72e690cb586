import { calls, says } from "../scripted-api/script.ts";
import { registerHooks } from "./hook-events.ts";
import { allowEverything } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** An MCP server whose only tool asks the user for a name and returns what it heard. */
const SERVER = `
import { createInterface } from "node:readline";
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let call;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "asker", version: "1.0.0" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: [{ name: "ask", description: "Asks for a name", inputSchema: { type: "object", properties: {} } }] } });
  else if (method === "tools/call") {
    call = id;
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    say({ id: 77, method: "elicitation/create", params: { message: "Your name?", requestedSchema } });
  } else if (id === 77) say({ id: call, result: { content: [{ type: "text", text: "heard " + result?.content?.name }] } });
  else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
});
`;

/** A server that asks the user while one of its tools runs. */
export const elicitation: Scenario = {
  name: "elicitation",
  about:
    "an MCP server asks the user: the host answers, with the hooks Elicitation and ElicitationResult around",
  args: ["--mcp-config", JSON.stringify({ mcpServers: { asker: { command: "node", args: ["asker.mjs"] } } })],
  files: { "asker.mjs": SERVER },
  steps: [calls("mcp__asker__ask", {}, "toolu_m1"), says("Thanks.")],
  flow: async ({ agent, api }) => {
    allowEverything(agent);
    agent.on({ type: "control_request", request: { subtype: "elicitation" } }, (line) =>
      agent.answer(line, { action: "accept", content: { name: "Ada" } }),
    );
    await registerHooks(agent, ["Elicitation", "ElicitationResult"]);
    await agent.turn("ask me");
    return { heard: api.sent(1, "heard Ada") };
  },
  expect: { facts: { heard: true } },
};
