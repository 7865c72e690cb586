import type { Command, Option } from "../command.ts";

const SCOPE_OPTIONS: readonly Option[] = [
  {
    name: "scope",
    value: "SCOPE",
    summary: "the rule's scope (project)",
    choices: ["session", "project", "user"],
  },
  { name: "cwd", value: "DIR", summary: "the project's folder, instead of the current one" },
  { name: "session", short: "s", value: "ID", summary: "the session it applies to; implies --scope session" },
];

const setter = (name: "allow" | "ask" | "deny", summary: string, example: string): Command => ({
  name,
  summary,
  args: "RULE",
  count: [1, 1],
  options: SCOPE_OPTIONS,
  details: `RULE is "Tool" or "Tool(pattern)", as in Bash(npm test:*), Read(~/notes/**), WebFetch(domain:example.com).
Deny and ask rules apply to every call of an agent that supports hooks; allow rules apply when the agent asks.
Within a scope, deny beats ask and ask beats allow; session rules are checked first, then the project's, then the user's.`,
  examples: [example],
  run: async (call) => (await import("../rules/rules.ts")).setRule(call, name),
});

const LIST_OPTIONS: readonly Option[] = [
  { name: "session", short: "s", value: "ID", summary: "only those that apply to this session" },
];

export const RULES: Command = {
  name: "rules",
  summary: "lists and changes permission rules",
  options: LIST_OPTIONS,
  count: [0, 0],
  run: async (call) => (await import("../rules/rules.ts")).list(call),
  examples: [
    "agentwire rules",
    "agentwire rules allow 'Bash(npm test:*)'",
    "agentwire rules deny 'Read(.env)' --scope user",
  ],
  subcommands: [
    {
      name: "list",
      summary: "lists rules",
      options: LIST_OPTIONS,
      examples: ["agentwire rules list", "agentwire rules list --session 3f2a91c0"],
      run: async (call) => (await import("../rules/rules.ts")).list(call),
    },
    setter("allow", "allows matching calls without asking", "agentwire rules allow 'Bash(npm test:*)'"),
    setter("ask", "asks about matching calls", "agentwire rules ask 'Bash(git push:*)' --scope user"),
    setter("deny", "denies matching calls", "agentwire rules deny 'Read(.env)' --scope user"),
    {
      name: "remove",
      summary: "removes a rule",
      args: "RULE",
      count: [1, 1],
      details: "RULE is an id from the list, or the rule's text if it is unique.",
      examples: ["agentwire rules remove 9c1e22aa", "agentwire rules remove 'Bash(npm test:*)'"],
      run: async (call) => (await import("../rules/rules.ts")).remove(call),
    },
  ],
};

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
