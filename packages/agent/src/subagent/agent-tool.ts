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

/** What the Agent tool needs of the session. */
export interface SubagentHost {
  readonly services: () => Services;
  readonly agents: () => ReadonlyMap<string, AgentDefinition>;
  /** The tools of the session itself. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The session's next call, from which a subagent's differs in prompt, tools and model. */
  readonly nextCall: () => NextCall;
  readonly tell: (notice: Notice) => void;
  readonly records: () => Records;
  /** Whether a subagent's own words are passed on to the host. */
  readonly forwardText: () => boolean;
  /** Whether the host wants to hear now and then, in a subagent's own words, what it is doing. */
  readonly summarises: () => boolean;
  /** What the user and the project have written down. */
  readonly known: () => ProjectContext;
  /** What the model should know of where it works. */
  readonly environment: (workspace: Workspace) => string;
  readonly worktrees: () => Worktrees;
  /** What the session's MCP servers say of how they want to be used. */
  readonly serverInstructions: () => string;
  /** Makes room for MCP servers that are there for one subagent only. */
  readonly newServers: () => McpServers;
  /** A text that every subagent is told beside its own prompt. */
  readonly appendPrompt: () => string | undefined;
  /** False when the session's budget is spent. */
  mayContinue(): boolean;
  /** Ends the turn of the session itself. */
  interrupt(): void;
}

/** The tool that gives a piece of work to an agent of its own; `depth` is that of whoever calls it, 0 for the session itself. */
export function agentTool(host: SubagentHost, depth = 0): Tool {
  return {
    name: "Agent",
    get description() {
      const known = [...host.agents()].map(([name, { description }]) => `- ${name}: ${description}`);
      return [
        "Give a task to a subagent that works on it alone, with its own context, and reports back. Write the prompt so that it needs nothing else. Several may run at once.",
        ...(backgroundSubagents(host, depth)
          ? [
              "It works in the background unless run_in_background is false: you go on meanwhile and are told when it is done. Never guess what it will say. Wait for it only if nothing can be done before.",
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
          description: "Lets it work in a git worktree of its own, which stays if it changes something",
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
    return failure(`Subagents may be nested ${maxSubagentDepth} deep: do this yourself.`);
  const type = typeof input.subagent_type === "string" ? input.subagent_type : GENERAL_PURPOSE;
  const definition = host.agents().get(type) ?? (type === GENERAL_PURPOSE ? GENERAL : undefined);
  if (!definition) {
    const known = [GENERAL_PURPOSE, ...host.agents().keys()].join(", ");
    return { content: `Agent type '${type}' not found. Available agents: ${known}`, isError: true };
  }
  const wanted =
    typeof input.run_in_background === "boolean" ? input.run_in_background : backgroundSubagents(host, above);
  // What works aside reports to the session, so a subagent waits for its own.
  const isBackground = above === 0 && (wanted || definition.background === true);
  const nested =
    depth < maxSubagentDepth
      ? (services: Services) => agentTool({ ...host, services: () => services }, depth)
      : undefined;
  const subagent = new Subagent(host, { type, definition, isBackground, input, depth, nested }, context);
  return isBackground ? subagent.inBackground() : subagent.inForeground();
}

/** Whether a subagent works in the background unless the model wants to wait for it. */
function backgroundSubagents(host: SubagentHost, depth: number): boolean {
  const { config, expectations } = host.services();
  return depth === 0 && config.backgroundSubagents && expectations().outlivesTurns;
}
