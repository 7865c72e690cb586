import type { JsonObject } from "@agentwire/protocol";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { McpServers } from "../mcp/servers.ts";
import type { ModelMessage } from "../model/model.ts";
import { TOOL_SEARCH, toolSearch } from "../tools/session/tool-search.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { NextCall } from "../turn/conversation.ts";
import { modelTools } from "../turn/tool-loading.ts";
import { type AgentContext, agentContext } from "./agent-context.ts";
import type { SubagentHost } from "./agent-tool.ts";
import { mayUse, ownServers } from "./definition.ts";

/** The agent to set up, and where it works. */
export interface SetupFor {
  readonly type: string;
  readonly definition: AgentDefinition;
  readonly workspace: Workspace;
  /** The tool to start subagents, if it may have any. */
  readonly nested: Tool | undefined;
}

/** Tools that move the session itself. */
const OF_THE_SESSION: ReadonlySet<string> = new Set(["EnterWorktree", "ExitWorktree"]);

/** A subagent's tools, prompt and model, and the MCP servers that it defines. */
export class SubagentSetup {
  readonly #host: SubagentHost;
  readonly #for: SetupFor;
  readonly #context: AgentContext;
  readonly #servers: McpServers | undefined;

  private constructor(
    host: SubagentHost,
    whom: SetupFor,
    context: AgentContext,
    servers: McpServers | undefined,
  ) {
    this.#host = host;
    this.#for = whom;
    this.#context = context;
    this.#servers = servers;
  }

  /** Gets everything ready; continues without servers that fail to start. */
  static async open(host: SubagentHost, whom: SetupFor, signal: AbortSignal): Promise<SubagentSetup> {
    const { type, definition } = whom;
    const configs = ownServers(definition);
    const servers = Object.keys(configs).length > 0 ? host.newServers() : undefined;
    servers?.start(configs);
    const [context] = await Promise.all([
      agentContext(type, definition, { config: host.services().config, known: host.known() }),
      servers?.settled(signal),
    ]);
    return new SubagentSetup(host, whom, context, servers);
  }

  /** What the conversation starts with, before the task. */
  get opening(): readonly string[] {
    return this.#context.opening;
  }

  /** The session's tools that the agent may use, and those of its own servers. */
  tools(): ReadonlyMap<string, Tool> {
    const own = this.#servers?.tools().map((tool) => [tool.name, tool] as const) ?? [];
    const { definition, nested } = this.#for;
    const usable = [...this.#host.tools(), ...own].filter(
      ([name]) => !OF_THE_SESSION.has(name) && mayUse(definition, name),
    );
    const tools = new Map<string, Tool>(usable);
    if (nested && tools.has(nested.name)) tools.set(nested.name, nested);
    else tools.delete("Agent");
    // Tool search must cover this agent's tools, not the session's.
    if (tools.has(TOOL_SEARCH))
      tools.set(
        TOOL_SEARCH,
        toolSearch(() => this.tools()),
      );
    return tools;
  }

  /** The next model call; `input` is that of the Agent tool, which may name a model. */
  nextCall(input: JsonObject, messages: readonly ModelMessage[]): NextCall {
    const { model: ownModel, effort: ownEffort } = this.#for.definition;
    const { models } = this.#host.services();
    const call = this.#host.nextCall();
    const named = typeof input.model === "string" ? input.model : (ownModel ?? models.ofSubagents);
    const effort = typeof input.effort === "string" ? input.effort : ownEffort;
    return {
      ...call,
      system: this.#system(),
      model: named === undefined || named === "inherit" ? call.model : models.standInFor(models.named(named)),
      tools: modelTools(this.tools(), messages),
      // The provider accepts effort levels only by name.
      ...(typeof effort === "string" && { effort }),
    };
  }

  /** Stops the servers of this agent. */
  async close(): Promise<void> {
    await this.#servers?.close();
  }

  #system(): readonly string[] {
    const { definition, workspace } = this.#for;
    const { prompt, omitClaudeMd } = definition;
    const { environment, appendPrompt } = this.#host;
    return [
      prompt,
      environment(workspace),
      omitClaudeMd ? "" : this.#host.known().memory,
      this.#host.serverInstructions(),
      this.#servers?.instructions() ?? "",
      ...this.#context.system,
      appendPrompt() ?? "",
    ].filter((piece) => piece !== "");
  }
}
