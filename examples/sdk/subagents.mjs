import { options, sdk, show } from "./setup.mjs";

// A subagent of the host's own, with tools and a prompt of its own.
const agents = {
  counter: { description: "Counts files", prompt: "Count the files and say how many.", tools: ["Glob"] },
};

const run = {
  prompt: "How many files?",
  options: options("subagents", { agents, allowedTools: ["Agent", "Glob"] }),
};
for await (const message of sdk.query(run)) show(message);
