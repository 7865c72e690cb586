import type { Config } from "../config/config.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Manner } from "../host/manner.ts";
import type { Notice } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Gate } from "../permission/gate.ts";
import type { Settings } from "../settings/settings.ts";
import type { LocalCommands } from "../slash/local-commands.ts";
import { GENERAL_PURPOSE } from "../subagent/definition.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import { outputStyleOf } from "../turn/next-call.ts";
import { initMessage, toolDefinitions } from "./init.ts";

/** What the opening message of a turn tells about. */
export interface InitParts {
  readonly config: Config;
  readonly manner: () => Manner;
  readonly settings: Settings;
  readonly files: ProjectFiles;
  readonly workspace: Workspace;
  readonly gate: Gate;
  readonly models: ModelState;
  readonly mcp: McpServers;
  readonly commands: LocalCommands;
  readonly tools: () => ReadonlyMap<string, Tool>;
}

/** The message that opens a turn, from how things stand now. */
export function sessionInit(parts: InitParts, named: readonly string[]): Notice {
  const { config, manner, files, workspace, gate, models, mcp, commands, tools } = parts;
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
    outputStyle: outputStyleOf(parts),
    apiKeySource: config.env.ANTHROPIC_API_KEY ? "ANTHROPIC_API_KEY" : "none",
    named,
  });
  return manner().describesTools ? { ...init, tool_definitions: toolDefinitions(tools().values()) } : init;
}
