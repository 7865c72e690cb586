import type { Gate } from "../../permission/gate.ts";
import type { Workspace } from "../../session/workspace.ts";
import type { Tool } from "../tool.ts";

/** The tools that enter and leave plan mode. Leaving is asked of the host, whatever the mode. */
export function planModeTools(gate: () => Gate): readonly Tool[] {
  const enter = (permissionMode: "plan" | "default", { tell }: Workspace) => {
    gate().setMode(permissionMode);
    tell({ type: "system", subtype: "status", status: null, permissionMode });
  };
  return [
    {
      name: "EnterPlanMode",
      description:
        "Switch to plan mode before a large change: look around and write a plan, without changing anything until the user has agreed to it.",
      inputSchema: { type: "object", properties: {} },
      isReadOnly: () => true,
      async run(_input, { workspace }) {
        enter("plan", workspace);
        return {
          content: "Plan mode is on: explore, then present the plan with ExitPlanMode.",
          data: { message: "Plan mode is on" },
        };
      },
    },
    {
      name: "ExitPlanMode",
      description:
        "Leave plan mode by asking the user to agree to the plan you have just written. Only for plans of changes, not for answers to questions.",
      inputSchema: {
        type: "object",
        properties: { allowedPrompts: { type: "array", items: { type: "object" } } },
      },
      isReadOnly: () => true,
      async run(_input, { workspace }) {
        enter("default", workspace);
        return {
          content: "The user agreed to the plan. Plan mode is off; start with the work.",
          data: { plan: null, isAgent: false },
        };
      },
    },
  ];
}
