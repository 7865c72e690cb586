import type { JsonObject } from "@agentwire/protocol";
import { calls, says } from "../scripted-api/script.ts";
import { registerHooks } from "./hook-events.ts";
import { allowEverything, wrote } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** An MCP server whose only tool asks the user a question and returns the answer. */
const server = (question: JsonObject, done?: JsonObject) => `
import { createInterface } from "node:readline";
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let call;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "asker", version: "1.0.0" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: [{ name: "ask", description: "Asks the user", inputSchema: { type: "object", properties: {} } }] } });
  else if (method === "tools/call") {
    call = id;
    say({ id: 77, method: "elicitation/create", params: ${JSON.stringify(question)} });
  } else if (id === 77) {
    ${done === undefined ? "" : `say(${JSON.stringify(done)});`}
    say({ id: call, result: { content: [{ type: "text", text: "heard " + (result?.content?.name ?? result?.action) }] } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
});
`;

const NAME = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

const SIGN_IN = { mode: "url", message: "Sign in", url: "http://127.0.0.1:9/sign-in", elicitationId: "el-1" };
const SIGNED_IN = { method: "notifications/elicitation/complete", params: { elicitationId: "el-1" } };

const STEPS = [calls("mcp__asker__ask", {}, "toolu_m1"), says("Thanks.")];

const WITH_ASKER = [
  "--mcp-config",
  JSON.stringify({ mcpServers: { asker: { command: "node", args: ["asker.mjs"] } } }),
];

/** A flow in which the host answers the server's question to the user. */
const answering =
  (answer: JsonObject): Scenario["flow"] =>
  async ({ agent, api }) => {
    allowEverything(agent);
    agent.on({ type: "control_request", request: { subtype: "elicitation" } }, (line) =>
      agent.answer(line, answer),
    );
    await registerHooks(agent, ["Elicitation", "ElicitationResult"]);
    await agent.turn("ask me");
    const endTold = wrote(agent, { type: "system", subtype: "elicitation_complete" });
    return { heard: ["Ada", "accept"].filter((word) => api.sent(1, `heard ${word}`)), endTold };
  };

/** Servers that ask the user while one of their tools runs. */
export const elicitations: readonly Scenario[] = [
  {
    name: "elicitation",
    about:
      "an MCP server asks the user and the host answers; the hooks Elicitation and ElicitationResult run before and after",
    args: WITH_ASKER,
    files: { "asker.mjs": server(NAME) },
    steps: STEPS,
    flow: answering({ action: "accept", content: { name: "Ada" } }),
    expect: { facts: { heard: ["Ada"], endTold: false } },
  },
  {
    name: "elicitation-url",
    about:
      "an MCP server sends the user to a web page and reports when this is done, and the agent tells the host",
    args: WITH_ASKER,
    files: { "asker.mjs": server(SIGN_IN, SIGNED_IN) },
    steps: STEPS,
    flow: answering({ action: "accept" }),
    expect: { facts: { heard: ["accept"], endTold: true } },
  },
];
