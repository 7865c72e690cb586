import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [
  {
    name: "kind",
    value: "KIND",
    summary: "only entries of this kind",
    choices: ["decision", "rule", "token", "login", "mode", "backup", "budget"],
  },
  { name: "limit", value: "N", summary: "how many of the latest entries to show (50)" },
  { name: "all", summary: "all entries, oldest first" },
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
      summary: "checks whether any entry was changed or removed",
      details: `Each entry contains the hash of the one before it. Prints the last hash; a copy kept elsewhere can later show whether
the log up to this point was rewritten. Exit: 0 intact, 1 not intact.`,
      examples: ["agentwire audit verify", "agentwire audit verify --json | jq -r .hash"],
      run: async (call) => (await import("../audit/audit.ts")).verify(call),
    },
  ],
};
