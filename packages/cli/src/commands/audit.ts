import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [
  {
    name: "kind",
    value: "KIND",
    summary: "only entries of this kind",
    choices: ["decision", "rule", "token", "login", "mode", "backup", "budget"],
  },
  { name: "limit", value: "N", summary: "how many of the latest are shown (50)" },
  { name: "all", summary: "all of them, the oldest first" },
];

export const AUDIT: Command = {
  name: "audit",
  summary: "shows who decided what: decisions, rules, modes, tokens, budgets, logins",
  options: LIST_OPTIONS,
  count: [0, 0],
  run: async (call) => (await import("../audit/audit.ts")).list(call),
  examples: [
    "agentwire audit",
    "agentwire audit --kind rule",
    "agentwire audit --all --json > audit.jsonl",
    "agentwire audit verify",
  ],
  subcommands: [
    {
      name: "list",
      summary: "shows entries",
      options: LIST_OPTIONS,
      examples: ["agentwire audit list --kind login --limit 20"],
      run: async (call) => (await import("../audit/audit.ts")).list(call),
    },
    {
      name: "verify",
      summary: "looks whether any entry was changed or taken away",
      details: `Each entry holds the hash of the one before. Prints the last hash: kept elsewhere, it shows later whether anything up to
here was rewritten as a whole. Exit: 0 all is in order, 1 it is not.`,
      examples: ["agentwire audit verify", "agentwire audit verify --json | jq -r .hash"],
      run: async (call) => (await import("../audit/audit.ts")).verify(call),
    },
  ],
};
