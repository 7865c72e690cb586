import type { Command, Option } from "../command.ts";

const SCOPE_OPTIONS: readonly Option[] = [
  {
    name: "scope",
    value: "SCOPE",
    summary: "where it holds (project)",
    choices: ["session", "project", "user"],
  },
  { name: "cwd", value: "DIR", summary: "the project's folder, instead of this one" },
  { name: "session", short: "s", value: "ID", summary: "the session that it is for; means --scope session" },
];

const setter = (name: "allow" | "ask" | "deny", summary: string, example: string): Command => ({
  name,
  summary,
  args: "RULE",
  count: [1, 1],
  options: SCOPE_OPTIONS,
  details: `RULE is "Tool" or "Tool(pattern)", as in Bash(npm test:*), Read(~/notes/**), WebFetch(domain:example.com).
It decides when an agent asks about a call; calls that the agent makes without asking are not bound by it.
In one scope deny goes before ask and ask before allow; the session decides before the project, the project before the user.`,
  examples: [example],
  run: async (call) => (await import("../rules/rules.ts")).setRule(call, name),
});

const LIST_OPTIONS: readonly Option[] = [
  { name: "session", short: "s", value: "ID", summary: "only those that count for this session" },
];

export const RULES: Command = {
  name: "rules",
  summary: "lists and changes the rules that decide before anyone is asked",
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
    setter("allow", "lets such calls run without asking", "agentwire rules allow 'Bash(npm test:*)'"),
    setter(
      "ask",
      "has somebody asked about such calls",
      "agentwire rules ask 'Bash(git push:*)' --scope user",
    ),
    setter(
      "deny",
      "refuses such calls when they are asked about",
      "agentwire rules deny 'Read(.env)' --scope user",
    ),
    {
      name: "remove",
      summary: "forgets a rule",
      args: "RULE",
      count: [1, 1],
      details: "RULE is an id from the list, or the rule itself where there is only one of it.",
      examples: ["agentwire rules remove 9c1e22aa", "agentwire rules remove 'Bash(npm test:*)'"],
      run: async (call) => (await import("../rules/rules.ts")).remove(call),
    },
  ],
};
