import type { Command, Option } from "../command.ts";

const SESSION: Option = { name: "session", short: "s", value: "ID", summary: "only this session" };

const LIST_OPTIONS: readonly Option[] = [
  {
    name: "by",
    value: "WHAT",
    summary: "how to group it (day)",
    choices: ["day", "model", "session"],
  },
  { name: "since", value: "DAY", summary: "from this day on, e.g. 2026-01-31 (UTC)" },
  SESSION,
];

export const USAGE: Command = {
  name: "usage",
  summary: "shows usage, costs and budgets",
  details: `Days are UTC. An unknown cost is shown as ?, a partly known one as $1.00+.`,
  options: LIST_OPTIONS,
  examples: ["agentwire usage", "agentwire usage --by model --since 2026-01-01", "agentwire usage --json"],
  run: async (call) => (await import("../usage/usage.ts")).list(call),
  subcommands: [
    {
      name: "budget",
      summary: "shows or sets today's budget, or a session's",
      args: "[USD]",
      count: [0, 1],
      details: `When a budget is spent, no new turn starts; queued prompts continue once it is raised. "settings" instead of an amount
restores the value from settings.json (budgets.day_usd, budgets.session_usd).`,
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
