import { currentToolName } from "@agentwire/protocol/permission";
import type { Config } from "../config/config.ts";
import type { PromptShell } from "../context/context.ts";
import { cloudIn, searchesWeb } from "../model/clouds.ts";
import { agentTool } from "../subagent/agent-tool.ts";
import { mayUse } from "../subagent/definition.ts";
import { bashTool } from "../tools/bash/bash.ts";
import { insideOf } from "../tools/bash/command.ts";
import { fileTools } from "../tools/file-tools.ts";
import { askUserQuestion } from "../tools/session/ask-user-question.ts";
import { planModeTools } from "../tools/session/plan-mode.ts";
import { skillTool } from "../tools/session/skill.ts";
import { toolSearch } from "../tools/session/tool-search.ts";
import { taskOutputTool } from "../tools/task-output.ts";
import { taskStopTool } from "../tools/task-stop.ts";
import type { Tool } from "../tools/tool.ts";
import { webFetchTool } from "../tools/web-fetch.ts";
import { webSearchTool } from "../tools/web-search.ts";
import { isWithinBudget } from "../turn/conversation.ts";
import { environment } from "../turn/system-prompt.ts";
import { worktreeTools } from "../worktree/worktree-tools.ts";
import type { SessionContext } from "./context.ts";
import { mainAgent, nextCall } from "./next-call.ts";
import { newServers } from "./servers.ts";

/** What determines the available tools. */
export type ToolSources = Pick<
  SessionContext,
  "config" | "gate" | "files" | "workspace" | "mcp" | "memory" | "ownWorktree"
>;

/** Returns a function that lists the current tools of a session by name. `interrupt` ends its turn. */
export function sessionTools(
  sources: ToolSources,
  session: () => SessionContext,
  interrupt: () => void,
): SessionContext["tools"] {
  const { config, gate, files, mcp, memory, ownWorktree } = sources;
  const tools = () => session().tools();
  const cloud = cloudIn(config.env);
  // Without a host, nobody could answer these.
  const asking = config.hasHost ? [askUserQuestion, ...planModeTools(() => gate)] : [];
  const own = [
    bashTool(),
    ...fileTools(),
    ...asking,
    taskStopTool(),
    taskOutputTool(),
    webFetchTool(),
    webSearchTool(),
    ...(config.toolSearch ? [toolSearch(tools)] : []),
    skillTool(files, promptShell(sources)),
    subagentTool(session, interrupt),
    ...worktreeTools(ownWorktree),
    ...(memory?.tools() ?? []),
  ].filter(pickedBy(config));
  return () => {
    const agent = mainAgent(sources);
    const isForbidden = gate.forbidding();
    const { structured, models } = session();
    const isMissing = (name: string) => name === "WebSearch" && cloud && !searchesWeb(cloud, models.current);
    const offered = [...own, ...mcp.tools(), ...(structured ? [structured.tool] : [])].filter(
      ({ name }) => !isForbidden(name) && !isMissing(name) && (!agent || mayUse(agent, name)),
    );
    return new Map(offered.map((tool) => [tool.name, tool]));
  };
}

/** The tool that starts subagents. */
function subagentTool(session: () => SessionContext, interrupt: () => void): Tool {
  return agentTool({
    services: session,
    agents: () => session().files.known.agents,
    tools: () => session().tools(),
    nextCall: () => nextCall(session()),
    tell: (notice) => session().outlet.tell(notice),
    records: () => session().records,
    forwardText: () => session().hostOptions.forwardSubagentText,
    summarises: () => {
      const { hostOptions, config } = session();
      return hostOptions.progressSummaries && config.progressSummaries;
    },
    known: () => session().files.known,
    environment: ({ cwd, roots }) => environment({ cwd, roots, model: session().models.current }),
    worktrees: () => session().worktrees,
    serverInstructions: () => session().mcp.instructions(),
    newServers: () => {
      const { workspace, outlet } = session();
      // Usually an agent's file belongs to the project.
      return newServers({ ...session(), groups: workspace.tasks.groups, tell: outlet.tell }, () => true);
    },
    appendPrompt: () => session().config.appendSubagentPrompt,
    mayContinue: () => isWithinBudget(session()),
    interrupt,
  });
}

/**
 * Treats commands in a prompt like Bash calls: the prompt allows them, but rules have precedence, and they run where Bash would.
 */
export function promptShell({ gate, workspace }: Pick<SessionContext, "gate" | "workspace">): PromptShell {
  const tool = bashTool();
  return {
    refusal: (command, signal) => gate.ruledOut({ tool, input: { command }, callId: "", signal, workspace }),
    inside: (command) => insideOf({ command, wantsOut: false }, { workspace }),
  };
}

/** The tools under `--bare`. */
const BARE_TOOLS = "Bash,Read,Edit";

/** `--tools` selects from the built-in tools. */
function pickedBy({ tools, bare }: Config): (tool: Tool) => boolean {
  const wanted = tools ?? (bare ? BARE_TOOLS : undefined);
  if (wanted === undefined || wanted === "default") return () => true;
  const names = new Set(wanted.split(/[\s,]+/).map((name) => currentToolName(name)));
  return ({ name }) => names.has(name);
}
