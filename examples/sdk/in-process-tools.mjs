import { z } from "zod";
import { options, sdk, show } from "./setup.mjs";

// Tools that run in this process, as an MCP server without a process of its own.
const add = sdk.tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
  content: [{ type: "text", text: String(a + b) }],
}));
const mcpServers = { calc: sdk.createSdkMcpServer({ name: "calc", tools: [add] }) };

const run = {
  prompt: "What is 2 + 3?",
  options: options("in-process-tools", { mcpServers, allowedTools: ["mcp__calc__add"] }),
};
for await (const message of sdk.query(run)) show(message);
