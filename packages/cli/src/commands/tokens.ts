import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [
  { name: "all", summary: "also those that have expired or were revoked" },
];

export const TOKENS: Command = {
  name: "tokens",
  summary: "lists, makes and revokes what lets other clients in at a port",
  options: LIST_OPTIONS,
  count: [0, 0],
  run: async (call) => (await import("../tokens/tokens.ts")).list(call),
  examples: [
    "agentwire tokens",
    "agentwire tokens create phone --scope answer --for 30d",
    "agentwire tokens revoke phone",
  ],
  subcommands: [
    {
      name: "list",
      summary: "lists tokens",
      options: LIST_OPTIONS,
      examples: ["agentwire tokens list --all"],
      run: async (call) => (await import("../tokens/tokens.ts")).list(call),
    },
    {
      name: "create",
      summary: "makes a token and shows it, this once",
      args: "NAME",
      count: [1, 1],
      details: `observe sees everything; answer also decides questions; drive also runs sessions and keeps rules, which is as good as a
shell of yours; admin also makes tokens, reads the audit log and backs up.`,
      options: [
        {
          name: "scope",
          value: "SCOPE",
          summary: "what it may do (observe)",
          choices: ["observe", "answer", "drive", "admin"],
        },
        { name: "for", value: "TIME", summary: "how long it is good for: 30m, 12h, 90d, never (90d)" },
      ],
      examples: [
        "agentwire tokens create wallboard",
        "agentwire tokens create phone --scope answer --for 30d",
        "agentwire tokens create ci --scope drive --for 1h --json | jq -r .secret",
      ],
      run: async (call) => (await import("../tokens/tokens.ts")).create(call),
    },
    {
      name: "revoke",
      summary: "makes a token worthless and ends what it has open",
      args: "TOKEN",
      count: [1, 1],
      details: "TOKEN is an id from the list, or the name where only one token has it.",
      examples: ["agentwire tokens revoke phone"],
      run: async (call) => (await import("../tokens/tokens.ts")).revoke(call),
    },
  ],
};
