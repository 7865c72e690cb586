// A minimal MCP server: its only tool, `echo`, returns its text.
import { createInterface } from "node:readline";

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "program", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "echo",
        description: "Gives back its text",
        inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      },
    ],
  }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text: `echo: ${text}` }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = METHODS[method];
  const outcome = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
}
