import type { AgentDefinition } from "@agentwire/protocol/control";
import { currentToolName } from "@agentwire/protocol/permission";
import type { Config } from "../config/config.ts";
import type { Gate } from "../permission/gate.ts";
import { mayUse } from "../subagent/definition.ts";
import { bashTool } from "../tools/bash/bash.ts";
import { fileTools } from "../tools/file-tools.ts";
import { askUserQuestion } from "../tools/session/ask-user-question.ts";
import { planModeTools } from "../tools/session/plan-mode.ts";
import { taskOutputTool } from "../tools/task-output.ts";
import { taskStopTool } from "../tools/task-stop.ts";
import type { Tool } from "../tools/tool.ts";
import { webFetchTool } from "../tools/web-fetch.ts";
import { webSearchTool } from "../tools/web-search.ts";

/** Where the tools of a session come from. */
export interface ToolSources {
  readonly config: Config;
  readonly gate: () => Gate;
  /** Tools of our own that need the session. */
  readonly special: readonly Tool[];
  /** Tools that come and go: of MCP servers, and the host's wish for a structured answer. */
  readonly changing: () => readonly Tool[];
  /** The agent that the session itself plays, if one was named. */
  readonly mainAgent: () => AgentDefinition | undefined;
}

/** The tools of a session, by name, as they are whenever it is asked. */
export function sessionTools(sources: ToolSources): () => ReadonlyMap<string, Tool> {
  const { config, gate, special, changing, mainAgent } = sources;
  const isPicked = pickedBy(config);
  // Nobody could answer these without a host.
  const asking = config.hasHost ? [askUserQuestion, ...planModeTools(gate)] : [];
  const own = [
    bashTool(),
    ...fileTools(),
    ...asking,
    taskStopTool(),
    taskOutputTool(),
    webFetchTool(),
    webSearchTool(),
    ...special,
  ].filter(isPicked);
  return () => {
    const agent = mainAgent();
    const isForbidden = gate().forbidding();
    const offered = [...own, ...changing()].filter(
      ({ name }) => !isForbidden(name) && (!agent || mayUse(agent, name)),
    );
    return new Map(offered.map((tool) => [tool.name, tool]));
  };
}

/** What there is under `--bare`. */
const BARE_TOOLS = "Bash,Read,Edit";

/** `--tools` picks among our own. */
function pickedBy({ flags, bare }: Config): (tool: Tool) => boolean {
  const wanted = flags.text("tools") ?? (bare ? BARE_TOOLS : undefined);
  if (wanted === undefined || wanted === "default") return () => true;
  const names = new Set(wanted.split(/[\s,]+/).map((name) => currentToolName(name)));
  return ({ name }) => names.has(name);
}
