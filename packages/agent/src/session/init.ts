import type { JsonObject } from "@agentwire/protocol";
import { WIRE_VERSION } from "../config/version.ts";
import type { Plugin } from "../context/plugins.ts";
import type { Notice } from "../host/outlet.ts";
import { GENERAL_PURPOSE } from "../subagent/definition.ts";
import type { Tool } from "../tools/tool.ts";
import { NO_FAST_MODE } from "../turn/result.ts";
import type { SessionContext } from "./context.ts";
import { outputStyleOf } from "./next-call.ts";

/** The capabilities of this agent, under the official names. */
export const CAPABILITIES: readonly string[] = [
  "interrupt_receipt_v1",
  "interrupt_cancel_queued_v1",
  "msg_lifecycle_v1",
  "request_marker_lists_v1",
  "reload_plugins_refuse_if_busy_v1",
  "mcp_read_resource_v1",
  "mcp_call_result_not_for_model_v1",
  "mcp_call_check_permissions_v1",
];

/** The message that opens a turn, with the current state of the session. */
export function sessionInit(context: SessionContext, named: readonly string[]): Notice {
  const { config, expectations, files, workspace, gate, models, mcp, commands, tools } = context;
  const { prompts, agents, plugins } = files.known;
  const written = [...prompts.values()];
  const { roots } = workspace;
  const init = initMessage({
    cwd: workspace.cwd,
    roots: [...roots, ...gate.directories.filter((folder) => !roots.includes(folder))],
    model: models.standInFor(models.current),
    mode: gate.mode,
    tools: [...tools().keys()],
    mcpServers: mcp.status(),
    commands: [...commands.list, ...written, ...mcp.prompts()].map(({ name }) => name),
    agents: [GENERAL_PURPOSE, ...agents.keys()],
    skills: written.filter(({ kind }) => kind === "skill").map(({ name }) => name),
    plugins,
    outputStyle: outputStyleOf(context),
    apiKeySource: config.credentials.apiKey ? "ANTHROPIC_API_KEY" : "none",
    named,
  });
  return expectations().describesTools
    ? { ...init, tool_definitions: toolDefinitions(tools().values()) }
    : init;
}

/** What an init message is created from. */
interface InitFacts {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly model: string;
  readonly mode: string;
  readonly tools: readonly string[];
  readonly mcpServers: readonly {
    readonly name: string;
    readonly status: string;
    readonly source?: string;
  }[];
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  readonly plugins: readonly Plugin[];
  readonly outputStyle: string;
  readonly apiKeySource: string;
  /** The ids of the turn's first prompts that the host has named. */
  readonly named: readonly string[];
}

/** The wire lists the subagent tool under its former name. */
const listedName = (name: string) => (name === "Agent" ? "Task" : name);

/** A one-line description of each tool, for dialects that describe tools besides naming them. */
export function toolDefinitions(
  tools: Iterable<Pick<Tool, "name" | "description">>,
): { name: string; description: string }[] {
  return Array.from(tools, ({ name, description }) => ({
    name: listedName(name),
    description: description.split("\n", 1).join(),
  }));
}

function initMessage(facts: InitFacts): Extract<Notice, { subtype: "init" }> & JsonObject {
  return {
    type: "system",
    subtype: "init",
    cwd: facts.cwd,
    tools: facts.tools.map(listedName),
    mcp_servers: facts.mcpServers.map(({ name, status, source }) => ({
      name,
      status,
      ...(source !== undefined && { source }),
    })),
    model: facts.model,
    permissionMode: facts.mode,
    slash_commands: [...facts.commands],
    apiKeySource: facts.apiKeySource,
    claude_code_version: WIRE_VERSION,
    output_style: facts.outputStyle,
    agents: [...facts.agents],
    skills: [...facts.skills],
    plugins: facts.plugins
      .filter(({ isMissing }) => !isMissing)
      .map(({ name, path, version }) => ({ name, path, ...(version !== undefined && { version }) })),
    ...pluginErrors(facts.plugins),
    capabilities: [...CAPABILITIES],
    original_cwd: facts.roots[0] ?? facts.cwd,
    additional_directories: facts.roots.slice(1),
    ...NO_FAST_MODE,
    view_mode: "default",
    ...(facts.named.length > 0 && { user_message_uuids: [...facts.named] }),
  };
}

function pluginErrors(plugins: readonly Plugin[]): JsonObject {
  const errors = plugins.flatMap(({ name: plugin, path, problems, isMissing }) =>
    problems.map((message) => ({
      plugin,
      type: isMissing ? "path-not-found" : "generic-error",
      message,
      path,
    })),
  );
  return errors.length > 0 ? { plugin_errors: errors } : {};
}
