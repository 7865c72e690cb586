import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Outlet } from "../host/outlet.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Gate } from "../permission/gate.ts";
import type { History } from "../turn/history.ts";

/** The agent that the session itself plays, if `--agent` names one that there is. */
export function mainAgentOf(config: Config, files: ProjectFiles): AgentDefinition | undefined {
  const name = config.flags.text("agent");
  return name === undefined ? undefined : files.known.agents.get(name);
}

/** Lets a session begin as the agent that it plays; tells the host if there is none of that name. Returns what it is to begin with. */
export function playAgent(
  config: Config,
  agent: AgentDefinition | undefined,
  session: {
    readonly outlet: Outlet;
    readonly history: History;
    readonly models: ModelState;
    readonly gate: Gate;
  },
): string | undefined {
  const name = config.flags.text("agent");
  if (name === undefined || name === "") return undefined;
  if (!agent) {
    const content = `Unknown agent ${name}; the session continues without it.`;
    session.outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
    return undefined;
  }
  const { model, permissionMode, initialPrompt, effort } = agent;
  if (model !== undefined && model !== "inherit") session.models.suggest(model);
  if (typeof effort === "string" && config.effort === undefined) session.models.setEffort(effort);
  if (permissionMode !== undefined && config.flags.text("permission-mode") === undefined)
    session.gate.setMode(permissionMode);
  return session.history.messages.length === 0 ? initialPrompt : undefined;
}
