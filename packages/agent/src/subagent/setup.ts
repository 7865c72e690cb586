import type { JsonObject } from "@agentwire/protocol";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { McpServers } from "../mcp/servers.ts";
import type { ModelMessage } from "../model/model.ts";
import { TOOL_SEARCH, toolSearch } from "../tools/session/tool-search.ts";
import type { Tool } from "../tools/tool.ts";
import type { NextCall } from "../turn/conversation.ts";
import { modelTools } from "../turn/tool-loading.ts";
import { type AgentContext, agentContext } from "./agent-context.ts";
import type { SubagentHost } from "./agent-tool.ts";
import { mayUse, ownServers } from "./definition.ts";

/** What a subagent works with: its tools, its prompt, its model, and the MCP servers that it brings along. */
export class SubagentSetup {
  readonly #host: SubagentHost;
  readonly #definition: AgentDefinition;
  readonly #context: AgentContext;
  readonly #servers: McpServers | undefined;

  private constructor(
    host: SubagentHost,
    definition: AgentDefinition,
    context: AgentContext,
    servers: McpServers | undefined,
  ) {
    this.#host = host;
    this.#definition = definition;
    this.#context = context;
    this.#servers = servers;
  }

  /** Gets everything ready; servers that do not come up are done without. */
  static async open(
    host: SubagentHost,
    type: string,
    definition: AgentDefinition,
    signal: AbortSignal,
  ): Promise<SubagentSetup> {
    const configs = ownServers(definition);
    const servers = Object.keys(configs).length > 0 ? host.newServers() : undefined;
    servers?.start(configs);
    const [context] = await Promise.all([
      agentContext(type, definition, { config: host.services().config, known: host.known() }),
      servers?.settled(signal),
    ]);
    return new SubagentSetup(host, definition, context, servers);
  }

  /** What the conversation begins with, beside the task. */
  get opening(): readonly string[] {
    return this.#context.opening;
  }

  /** The tools of the session that the agent may use, and those of its own servers. No subagent has subagents. */
  tools(): ReadonlyMap<string, Tool> {
    const own = this.#servers?.tools().map((tool) => [tool.name, tool] as const) ?? [];
    const usable = [...this.#host.tools(), ...own].filter(
      ([name]) => name !== "Agent" && mayUse(this.#definition, name),
    );
    const tools = new Map<string, Tool>(usable);
    // It is to find what this agent has, not what the session has.
    if (tools.has(TOOL_SEARCH))
      tools.set(
        TOOL_SEARCH,
        toolSearch(() => this.tools()),
      );
    return tools;
  }

  /** The next model call; `input` is that of the Agent tool, which may name a model. */
  nextCall(input: JsonObject, messages: readonly ModelMessage[]): NextCall {
    const { model: ownModel, effort: ownEffort } = this.#definition;
    const { models } = this.#host.services();
    const call = this.#host.nextCall();
    const named = typeof input.model === "string" ? input.model : (ownModel ?? models.ofSubagents);
    const effort = typeof input.effort === "string" ? input.effort : ownEffort;
    return {
      ...call,
      system: this.#system(),
      model: named === undefined || named === "inherit" ? call.model : models.standInFor(models.named(named)),
      tools: modelTools(this.tools(), messages),
      // The provider knows levels only by their names.
      ...(typeof effort === "string" && { effort }),
    };
  }

  /** Ends the servers that were only there for this agent. */
  async close(): Promise<void> {
    await this.#servers?.close();
  }

  #system(): readonly string[] {
    const { prompt, omitClaudeMd } = this.#definition;
    const { environment, appendPrompt } = this.#host;
    return [
      prompt,
      environment(),
      omitClaudeMd ? "" : this.#host.known().memory,
      this.#host.serverInstructions(),
      this.#servers?.instructions() ?? "",
      ...this.#context.system,
      appendPrompt() ?? "",
    ].filter((piece) => piece !== "");
  }
}
