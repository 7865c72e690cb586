import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [{ name: "all", summary: "also expired and revoked ones" }];

export const TOKENS: Command = {
  name: "tokens",
  summary: "lists, creates and revokes tokens for clients that connect to a port",
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
      summary: "creates a token and shows it once",
      args: "NAME",
      count: [1, 1],
      details: `observe sees everything; answer also decides questions; drive also runs sessions and stores rules, which amounts
to shell access; admin also creates tokens, reads the audit log and makes backups.`,
      options: [
        {
          name: "scope",
          value: "SCOPE",
          summary: "what it may do (observe)",
          choices: ["observe", "answer", "drive", "admin"],
        },
        { name: "for", value: "TIME", summary: "how long it is valid: 30m, 12h, 90d, never (90d)" },
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
      summary: "revokes a token and closes its connections",
      args: "TOKEN",
      count: [1, 1],
      details: "TOKEN is a name or an id from the list.",
      examples: ["agentwire tokens revoke phone"],
      run: async (call) => (await import("../tokens/tokens.ts")).revoke(call),
    },
  ],
};
