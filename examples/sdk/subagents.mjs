import { options, sdk, show } from "./setup.mjs";

// A subagent defined by the host, with its own tools and prompt.
const agents = {
  counter: { description: "Counts files", prompt: "Count the files and say how many.", tools: ["Glob"] },
};

const run = {
  prompt: "How many files?",
  options: options("subagents", { agents, allowedTools: ["Agent", "Glob"] }),
};
for await (const message of sdk.query(run)) show(message);
