import type { Tool } from "../tool.ts";

const NOT_PLANNING = "Plan mode is off: if the user has agreed to the plan already, go on with the work.";

/** Where the permission mode is stored. */
export interface PlanMode {
  readonly mode: string;
  setMode(mode: string): unknown;
  leavePlanMode(): void;
}

/** The tools that enter and leave plan mode. Leaving requires a question to the host in any mode. */
export function planModeTools(gate: () => PlanMode): readonly Tool[] {
  return [
    {
      name: "EnterPlanMode",
      description:
        "Switch to plan mode before a large change: look around and write a plan, without changing anything until the user has agreed to it.",
      inputSchema: { type: "object", properties: {} },
      isReadOnly: () => true,
      async run(_input, { workspace }) {
        gate().setMode("plan");
        workspace.tell({ type: "system", subtype: "status", status: null, permissionMode: "plan" });
        return {
          content: "Plan mode is on: explore, then present the plan with ExitPlanMode.",
          data: { message: "Plan mode is on" },
        };
      },
    },
    {
      name: "ExitPlanMode",
      description:
        "Leave plan mode by asking the user to agree to your plan. Only for plans of changes, not for answers to questions.",
      inputSchema: {
        type: "object",
        properties: {
          plan: { type: "string", description: "The plan, in Markdown, as the user is to see it" },
          allowedPrompts: { type: "array", items: { type: "object" } },
        },
      },
      isReadOnly: () => true,
      refuse: async () => (gate().mode === "plan" ? undefined : NOT_PLANNING),
      async run({ plan }) {
        gate().leavePlanMode();
        return {
          content: "The user agreed to the plan. Plan mode is off; start with the work.",
          data: { plan: typeof plan === "string" ? plan : null, isAgent: false },
        };
      },
    },
  ];
}
