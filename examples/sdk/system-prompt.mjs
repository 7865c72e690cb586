import { options, sdk, show } from "./setup.mjs";

// The agent's own prompt with something added, and a choice of tools.
const systemPrompt = { type: "preset", preset: "claude_code", append: "Answer in verse." };
const run = {
  prompt: "Hello",
  options: options("query", { systemPrompt, tools: ["Read", "Grep"], settingSources: [] }),
};
for await (const message of sdk.query(run)) show(message);
