import type { AgentDefinition } from "@agentwire/protocol/control";
import type { NextCall } from "../turn/conversation.ts";
import { planText, systemPrompt } from "../turn/system-prompt.ts";
import { modelTools } from "../turn/tool-loading.ts";
import type { SessionContext } from "./context.ts";

/** Returns the system prompt to use, which may be one that was kept. */
export type Settle = (render: () => readonly string[]) => readonly string[];

/** Assembles the next model call from the current state; its system prompt may be kept for all later calls. */
export function nextCall(
  context: SessionContext,
  settle: Settle = (render) => context.systemPrompt.settle(render),
): NextCall {
  const { config, hostOptions, models, files, workspace, gate, memory, tools, history, costs, mcp, played } =
    context;
  const { effort } = models;
  const model = models.standInFor(models.chosenFor(history.messages, costs.contextTokens));
  const thinking =
    models.thinking ?? (models.catalog.infoOf(model)?.thinks && ({ type: "adaptive" } as const));
  const planning = gate.mode === "plan" ? (hostOptions.planModeInstructions ?? "") : undefined;
  const render = (aboutPlanning: string | undefined) =>
    systemPrompt({
      given: mainAgent(context)?.prompt ?? hostOptions.systemPrompt ?? (config.bare ? "" : undefined),
      append: hostOptions.appendSystemPrompt,
      cwd: workspace.cwd,
      roots: workspace.roots,
      model,
      memory: files.known.memory,
      longTermMemory: memory?.overview ?? "",
      outputStyle: files.known.outputStyles.get(outputStyleOf(context)) ?? "",
      planning: aboutPlanning,
      isStatic: hostOptions.excludeDynamicSections,
      further: [...played.system, mcp.instructions()],
    });
  return {
    model,
    // Added to a kept prompt too: in plan mode the model has to know.
    system: hostOptions.keepsSystemPrompt
      ? [...settle(() => render(undefined)), ...planText(planning)]
      : render(planning),
    tools: modelTools(tools(), history.messages),
    maxTokens: models.maxTokens,
    ...(thinking && { thinking }),
    ...(effort !== undefined && { effort }),
    ...(config.betas.length > 0 && { betas: config.betas }),
    ...(config.taskBudget !== undefined && { taskBudget: config.taskBudget }),
  };
}

/** The name of the output style in the settings; a style that does not exist changes nothing. */
export function outputStyleOf({ settings }: Pick<SessionContext, "settings">): string {
  const { outputStyle } = settings.effective;
  return typeof outputStyle === "string" && outputStyle !== "" ? outputStyle : "default";
}

/** The agent that the session itself runs as, if `--agent` names an existing one. */
export function mainAgent({
  config,
  files,
}: Pick<SessionContext, "config" | "files">): AgentDefinition | undefined {
  const name = config.agent;
  return name === undefined ? undefined : files.known.agents.get(name);
}
