import { agentTool } from "../subagent/agent-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { NextCall } from "../turn/conversation.ts";
import { environment } from "../turn/system-prompt.ts";
import type { Foundation } from "./foundation.ts";
import { newServers } from "./mcp-setup.ts";

/** What subagents need of the session beside its foundation. */
export interface AgentSession extends Foundation {
  tools(): ReadonlyMap<string, Tool>;
  nextCall(): NextCall;
  mayGoOn(): boolean;
  interrupt(): void;
}

/** The tool by which the session's model has subagents work for it. */
export function sessionAgents(session: AgentSession): Tool {
  const { config, services, files, outlet, records, wishes, mcp, host, log } = session;
  const { hooks, workspace, models } = services;
  return agentTool({
    services: () => services,
    agents: () => files.known.agents,
    tools: session.tools,
    nextCall: session.nextCall,
    tell: outlet.tell,
    records,
    forwardText: () => wishes.forwardSubagentText,
    summarises: () => wishes.progressSummaries && !config.env.CLAUDE_CODE_DISABLE_AGENT_PROGRESS_SUMMARIES,
    known: () => files.known,
    environment: () => environment({ cwd: workspace.cwd, roots: workspace.roots, model: models.current }),
    serverInstructions: () => mcp.instructions(),
    newServers: () =>
      newServers({ config, host, log, groups: workspace.tasks.groups, hooks, tell: outlet.tell }),
    appendPrompt: config.flags.text("append-subagent-system-prompt"),
    mayGoOn: session.mayGoOn,
    interrupt: session.interrupt,
  });
}
