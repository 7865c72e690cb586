import type { Command } from "../command.ts";

export const SEARCH: Command = {
  name: "search",
  summary: "searches the messages of all sessions",
  args: "WORDS",
  count: [1, Number.POSITIVE_INFINITY],
  details: `Searches prompts, answers, and the inputs and results of tools. All words must occur in one message; the beginning of a word is enough.`,
  options: [
    { name: "session", value: "SESSION", summary: "only in this session" },
    { name: "limit", value: "N", summary: "how many to show (20)" },
  ],
  examples: ["agentwire search flaky test", "agentwire search --session 3f2a91c0 migration"],
  run: async (call) => (await import("../sessions/search.ts")).search(call),
};
