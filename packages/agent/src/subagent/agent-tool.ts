import type { JsonObject } from "@agentwire/protocol";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { ProjectContext } from "../context/context.ts";
import type { Notice } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { Records } from "../store/records.ts";
import { failure } from "../tools/outcome.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { NextCall, Services } from "../turn/conversation.ts";
import type { Worktrees } from "../worktree/worktrees.ts";
import { GENERAL, GENERAL_PURPOSE } from "./definition.ts";
import { Subagent } from "./subagent.ts";

/** What the Agent tool needs from the session. */
export interface SubagentHost {
  readonly services: () => Services;
  readonly agents: () => ReadonlyMap<string, AgentDefinition>;
  /** The tools of the session itself. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The session's next call, from which a subagent's differs in prompt, tools and model. */
  readonly nextCall: () => NextCall;
  readonly tell: (notice: Notice) => void;
  readonly records: () => Records;
  /** Whether a subagent's text is forwarded to the host. */
  readonly forwardText: () => boolean;
  /** Whether the host wants progress summaries from subagents. */
  readonly summarises: () => boolean;
  /** The files of the user and the project: memory, agents and skills. */
  readonly known: () => ProjectContext;
  /** Describes the working environment for the model. */
  readonly environment: (workspace: Workspace) => string;
  readonly worktrees: () => Worktrees;
  /** The instructions of the session's MCP servers. */
  readonly serverInstructions: () => string;
  /** Creates an empty set for the MCP servers of one subagent. */
  readonly newServers: () => McpServers;
  /** A text added to the prompt of every subagent. */
  readonly appendPrompt: () => string | undefined;
  /** False once the session's budget is spent. */
  mayContinue(): boolean;
  /** Ends the session's turn. */
  interrupt(): void;
}

/** The tool that gives a task to a subagent; `depth` is that of the caller, 0 for the session itself. */
export function agentTool(host: SubagentHost, depth = 0): Tool {
  return {
    name: "Agent",
    get description() {
      const known = [...host.agents()].map(([name, { description }]) => `- ${name}: ${description}`);
      return [
        "Give a task to a subagent that works on it alone, with its own context, and reports back. Write the prompt so that it needs nothing else. Several may run at once.",
        ...(backgroundSubagents(host, depth)
          ? [
              "It works in the background unless run_in_background is false: you continue in the meantime and are told when it is done. Never guess its report. Wait for it only if there is nothing else to do.",
            ]
          : []),
        "Kinds:",
        `- ${GENERAL_PURPOSE}: ${GENERAL.description}`,
        ...known,
      ].join("\n");
    },
    inputSchema: {
      type: "object",
      properties: {
        description: { type: "string", description: "The task in three to five words" },
        prompt: { type: "string", description: "The whole task" },
        subagent_type: { type: "string", description: "Which kind of agent" },
        model: { type: "string" },
        effort: { type: "string" },
        run_in_background: { type: "boolean" },
        isolation: {
          type: "string",
          enum: ["worktree"],
          description: "Makes it work in its own git worktree, which is kept if it changes something",
        },
        name: { type: "string" },
      },
      required: ["description", "prompt"],
    },
    isReadOnly: () => true,
    describe: (input) => String(input.description),
    run: (input, context) => delegate(host, depth, input, context),
  };
}

async function delegate(
  host: SubagentHost,
  above: number,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const depth = above + 1;
  const { maxSubagentDepth } = host.services().config;
  if (depth > maxSubagentDepth)
    return failure(`Subagents can only be nested ${maxSubagentDepth} deep: do this yourself.`);
  const type = typeof input.subagent_type === "string" ? input.subagent_type : GENERAL_PURPOSE;
  const definition = host.agents().get(type) ?? (type === GENERAL_PURPOSE ? GENERAL : undefined);
  if (!definition) {
    const known = [GENERAL_PURPOSE, ...host.agents().keys()].join(", ");
    return { content: `Agent type '${type}' not found. Available agents: ${known}`, isError: true };
  }
  const wanted =
    typeof input.run_in_background === "boolean" ? input.run_in_background : backgroundSubagents(host, above);
  // Background subagents report to the session, so a subagent has to wait for its own.
  const isBackground = above === 0 && (wanted || definition.background === true);
  const nested =
    depth < maxSubagentDepth
      ? (services: Services) => agentTool({ ...host, services: () => services }, depth)
      : undefined;
  const subagent = new Subagent(host, { type, definition, isBackground, input, depth, nested }, context);
  return isBackground ? subagent.inBackground() : subagent.inForeground();
}

/** Whether subagents work in the background by default. */
function backgroundSubagents(host: SubagentHost, depth: number): boolean {
  const { config, expectations } = host.services();
  return depth === 0 && config.backgroundSubagents && expectations().outlivesTurns;
}
