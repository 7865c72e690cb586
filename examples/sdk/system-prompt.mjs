import { options, sdk, show } from "./setup.mjs";

// Appends to the agent's own system prompt, and limits its tools.
const systemPrompt = { type: "preset", preset: "claude_code", append: "Answer in verse." };
const run = {
  prompt: "Hello",
  options: options("query", { systemPrompt, tools: ["Read", "Grep"], settingSources: [] }),
};
for await (const message of sdk.query(run)) show(message);
