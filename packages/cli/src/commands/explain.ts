import type { Command } from "../command.ts";

export const EXPLAIN: Command = {
  name: "explain",
  summary: "shows which rule decides a tool call, and why",
  args: "TOOL [INPUT]",
  count: [1, 2],
  details:
    "INPUT is the call's input as JSON; for Bash, Read, Edit, Write and WebFetch the command, path or address is enough.",
  options: [
    { name: "session", short: "s", value: "ID", summary: "as if this session made the call" },
    { name: "cwd", value: "DIR", summary: "as if made in this folder instead of the current one" },
  ],
  examples: [
    `agentwire explain Bash '{"command":"npm test"}'`,
    "agentwire explain Bash 'npm test && rm -rf build'",
    "agentwire explain Read .env --session 3f2a91c0",
  ],
  run: async (call) => (await import("../rules/explain.ts")).explain(call),
};
