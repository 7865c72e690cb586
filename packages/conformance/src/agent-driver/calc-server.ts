import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at } from "../json-path.ts";
import type { AgentDriver } from "./driver.ts";

/** How a host's MCP server behaves. */
export interface CalcOptions {
  /** Milliseconds before `initialize` is answered. */
  readonly slowStartMs?: number;
  /** Leaves notifications without the answer that their control request expects. */
  readonly ignoresNotifications?: boolean;
}

/** Makes the host serve an MCP server named `calc`: its tool `add` adds two numbers, its tool `fail` fails. */
export function serveCalc(agent: AgentDriver, options: CalcOptions = {}): void {
  const { slowStartMs = 0, ignoresNotifications = false } = options;
  agent.on({ type: "control_request", request: { subtype: "mcp_message" } }, async (line) => {
    const message = at(line, "request", "message");
    if (!isJsonObject(message)) return;
    const reply = (outcome: JsonObject) =>
      agent.answer(line, { mcp_response: { jsonrpc: "2.0", id: message.id ?? 0, ...outcome } });
    if (message.id === undefined) {
      if (!ignoresNotifications) reply({ result: {} });
      return;
    }
    if (message.method === "initialize" && slowStartMs > 0) await agent.pause(slowStartMs);
    reply(outcomeOf(message));
  });
}

function outcomeOf({ method, params }: JsonObject): JsonObject {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: at(params, "protocolVersion"),
          capabilities: { tools: {} },
          serverInfo: { name: "calc", version: "1.0.0" },
        },
      };
    case "tools/list":
      return { result: { tools: TOOLS } };
    case "tools/call":
      return { result: callTool(at(params, "name"), at(params, "arguments")) };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

const TOOLS = [
  {
    name: "add",
    description: "Add two numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
  {
    name: "fail",
    description: "Always fails",
    inputSchema: { type: "object", properties: { why: { type: "string" } } },
  },
];

function callTool(name: unknown, input: unknown): JsonObject {
  if (name !== "add") return { content: [{ type: "text", text: "boom" }], isError: true };
  return { content: [{ type: "text", text: String(Number(at(input, "a")) + Number(at(input, "b"))) }] };
}
