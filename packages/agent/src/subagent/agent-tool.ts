import type { JsonObject } from "@agentwire/protocol";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { ProjectContext } from "../context/context.ts";
import type { Notice } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { Records } from "../store/records.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import type { NextCall, Services } from "../turn/conversation.ts";
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
  readonly environment: () => string;
  /** What the session's MCP servers say of how they want to be used. */
  readonly serverInstructions: () => string;
  /** Makes room for MCP servers that are there for one subagent only. */
  readonly newServers: () => McpServers;
  /** A text that every subagent is told beside its own prompt. */
  readonly appendPrompt: () => string | undefined;
  /** False when the session's budget is spent. */
  mayGoOn(): boolean;
  /** Ends the turn of the session itself. */
  interrupt(): void;
}

/** The tool that gives a piece of work to an agent of its own. */
export function agentTool(host: SubagentHost): Tool {
  return {
    name: "Agent",
    get description() {
      const known = [...host.agents()].map(([name, { description }]) => `- ${name}: ${description}`);
      return [
        "Give a task to a subagent that works on it alone, with its own context, and reports back. Write the prompt so that it needs nothing else. Several may run at once.",
        ...(backgroundSubagents(host)
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
        name: { type: "string" },
      },
      required: ["description", "prompt"],
    },
    isReadOnly: () => true,
    describe: (input) => String(input.description),
    run: (input, context) => delegate(host, input, context),
  };
}

async function delegate(host: SubagentHost, input: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const type = typeof input.subagent_type === "string" ? input.subagent_type : GENERAL_PURPOSE;
  const definition = host.agents().get(type) ?? (type === GENERAL_PURPOSE ? GENERAL : undefined);
  if (!definition) {
    const known = [GENERAL_PURPOSE, ...host.agents().keys()].join(", ");
    return { content: `Agent type '${type}' not found. Available agents: ${known}`, isError: true };
  }
  const wanted =
    typeof input.run_in_background === "boolean" ? input.run_in_background : backgroundSubagents(host);
  const isBackground = wanted || definition.background === true;
  const subagent = new Subagent(host, { type, definition, isBackground, input }, context);
  return isBackground ? subagent.inBackground() : subagent.inForeground();
}

/** Whether a subagent works in the background unless the model wants to wait for it. */
function backgroundSubagents(host: SubagentHost): boolean {
  const { config, expectations } = host.services();
  return config.backgroundSubagents && expectations().outlivesTurns;
}
