// An MCP server whose only tool, `ask`, asks the user for a name and a number, and returns the answer.
import { createInterface } from "node:readline";

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const requestedSchema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2 },
    age: { type: "integer", title: "Age", minimum: 0 },
  },
  required: ["name"],
};
let call;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "asker", version: "1.0.0" };
    write({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    const inputSchema = { type: "object", properties: {} };
    write({ id, result: { tools: [{ name: "ask", description: "Asks the user", inputSchema }] } });
  } else if (method === "tools/call") {
    call = id;
    write({
      id: "asked",
      method: "elicitation/create",
      params: { message: "Who are you?", requestedSchema },
    });
  } else if (id === "asked")
    write({ id: call, result: { content: [{ type: "text", text: `heard ${JSON.stringify(result)}` }] } });
  else if (id !== undefined) write({ id, error: { code: -32601, message: "Method not found" } });
}
