import { options, prompt, sdk, show } from "./setup.mjs";

// Adds and removes MCP servers while the session is running.
let asked = () => {};
async function* prompts() {
  yield prompt("Say hello");
  await new Promise((resolve) => {
    asked = resolve;
  });
}
const ping = sdk.tool("ping", "Answers", {}, async () => ({ content: [{ type: "text", text: "pong" }] }));
const server = (name) => sdk.createSdkMcpServer({ name, tools: [ping] });
const query = sdk.query({
  prompt: prompts(),
  options: options("query", { mcpServers: { one: server("one") } }),
});
for await (const message of query) {
  show(message);
  if (message.type !== "result") continue;
  show({ status: (await query.mcpServerStatus()).map(({ name, status }) => ({ name, status })) });
  show(await query.setMcpServers({ two: server("two") }));
  show({ status: (await query.mcpServerStatus()).map(({ name, status }) => ({ name, status })) });
  asked();
}
