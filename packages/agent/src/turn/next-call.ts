import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { HostWishes } from "../context/host-wishes.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { ModelState } from "../model/model-state.ts";
import { modelInfo } from "../model/pricing.ts";
import type { Gate } from "../permission/gate.ts";
import type { Settings } from "../settings/settings.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { NextCall } from "./conversation.ts";
import type { History } from "./history.ts";
import { planText, systemPrompt } from "./system-prompt.ts";
import { modelTools } from "./tool-loading.ts";

/** What the model calls of a session depend on. */
export interface CallParts {
  readonly config: Config;
  readonly settings: Settings;
  readonly wishes: HostWishes;
  readonly models: ModelState;
  readonly files: ProjectFiles;
  readonly workspace: Workspace;
  readonly gate: Gate;
  readonly mcp: McpServers;
  readonly history: History;
  readonly memory?: { readonly overview: string } | undefined;
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The agent that the session itself plays, if one was named. */
  readonly mainAgent: () => AgentDefinition | undefined;
  /** What that agent is told beside its prompt. */
  readonly agentSystem: readonly string[];
  /** Where the system prompt is to stay what it was: gives the one that counts. */
  readonly settle?: (render: () => readonly string[]) => readonly string[];
}

/** Puts the next model call together from how things stand now. */
export function nextCall(parts: CallParts): NextCall {
  const {
    config,
    wishes,
    models,
    files,
    workspace,
    gate,
    memory,
    tools,
    mainAgent,
    history,
    mcp,
    agentSystem,
    settle,
  } = parts;
  const { effort } = models;
  const model = models.standInFor(models.current);
  const thinking = models.thinking ?? (modelInfo(model)?.thinks && ({ type: "adaptive" } as const));
  const planning = gate.mode === "plan" ? (wishes.planModeInstructions ?? "") : undefined;
  const render = (aboutPlanning: string | undefined) =>
    systemPrompt({
      given: mainAgent()?.prompt ?? wishes.systemPrompt ?? (config.bare ? "" : undefined),
      append: wishes.appendSystemPrompt,
      cwd: workspace.cwd,
      roots: workspace.roots,
      model,
      memory: files.known.memory,
      longTermMemory: memory?.overview ?? "",
      outputStyle: files.known.outputStyles.get(outputStyleOf(parts)) ?? "",
      planning: aboutPlanning,
      isStatic: wishes.excludeDynamicSections,
      further: [...agentSystem, mcp.instructions()],
    });
  return {
    model,
    // Whatever is kept: in plan mode the model has to know.
    system: settle ? [...settle(() => render(undefined)), ...planText(planning)] : render(planning),
    tools: modelTools(tools(), history.messages),
    maxTokens: models.maxTokens,
    ...(thinking && { thinking }),
    ...(effort !== undefined && { effort }),
    ...(config.betas.length > 0 && { betas: config.betas }),
    ...(config.taskBudget !== undefined && { taskBudget: config.taskBudget }),
  };
}

/** The output style that the settings name; one that there is not is only a name, and changes nothing. */
export function outputStyleOf({ settings }: Pick<CallParts, "settings">): string {
  const { outputStyle } = settings.effective;
  return typeof outputStyle === "string" && outputStyle !== "" ? outputStyle : "default";
}
