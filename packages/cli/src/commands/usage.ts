import type { Command, Option } from "../command.ts";

const SESSION: Option = { name: "session", short: "s", value: "ID", summary: "of this session alone" };

const LIST_OPTIONS: readonly Option[] = [
  {
    name: "by",
    value: "WHAT",
    summary: "what it is added up by (day)",
    choices: ["day", "model", "session"],
  },
  { name: "since", value: "DAY", summary: "from this day on, as 2026-01-31 (UTC)" },
  SESSION,
];

export const USAGE: Command = {
  name: "usage",
  summary: "shows what sessions have used and cost, and how much they may cost",
  details: `Days are those of UTC. A cost that nobody knows is shown as ?, one that is known only in part as $1.00+.`,
  options: LIST_OPTIONS,
  examples: ["agentwire usage", "agentwire usage --by model --since 2026-01-01", "agentwire usage --json"],
  run: async (call) => (await import("../usage/usage.ts")).list(call),
  subcommands: [
    {
      name: "budget",
      summary: "shows or sets what may be spent today, or by one session",
      args: "[USD]",
      count: [0, 1],
      details: `When a budget is spent no new turn begins; prompts that wait go on when it is raised. "settings" in place of an amount goes
back to what settings.json says (budgets.day_usd, budgets.session_usd).`,
      options: [SESSION],
      examples: [
        "agentwire usage budget",
        "agentwire usage budget 25               # today's, for all sessions together",
        "agentwire usage budget 5 --session 3f2a",
      ],
      run: async (call) => (await import("../usage/usage.ts")).budget(call),
    },
  ],
};
