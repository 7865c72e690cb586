import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Log } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { HostLink } from "../host/host-link.ts";
import type { Outlet } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { AskHost } from "../permission/ask.ts";
import type { CanUseTool } from "../permission/can-use-tool.ts";
import { createGate } from "../permission/create-gate.ts";
import type { Gate } from "../permission/gate.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Settings } from "../settings/settings.ts";
import type { ToolContext } from "../tools/tool.ts";
import { mcpServerOf } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";

/** What the gate of a session is created from. */
export interface GateParts {
  readonly config: Config;
  readonly settings: Settings;
  readonly host: HostLink;
  readonly outlet: Outlet;
  readonly hooks: Hooks;
  readonly mcp: McpServers;
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  readonly log: Log;
}

/** Creates the gate of a session. */
export function sessionGate(parts: GateParts): Gate {
  const { config, settings, outlet, hooks, mcp, sandbox, log } = parts;
  const { cwd, home, hasHost, promptTool } = config;
  const mode = config.skipsPermissions ? "bypassPermissions" : config.permissionMode;
  return createGate({
    settings,
    cwd,
    home,
    allowedTools: config.allowedTools,
    disallowedTools: config.disallowedTools,
    additionalDirectories: config.addedFolders,
    toolPolicies: () => mcp.policies(),
    log,
    ...(mode !== undefined && { mode }),
    allowBypass: config.allowsBypass,
    hasHost: hasHost || promptTool !== undefined,
    prompts: config.permissionPrompts,
    ask: askerOf(parts),
    sandbox,
    onModeChanged: (permissionMode) =>
      outlet.tell({ type: "system", subtype: "status", status: null, permissionMode }),
    runPermissionRequestHooks: async ({ tool_name, input, permission_suggestions, mcp_server }, signal) => {
      if (!hooks.listens("PermissionRequest")) return undefined;
      const facts = { tool_name, tool_input: input, permission_suggestions, mcp_server };
      return (await hooks.run("PermissionRequest", facts, { signal })).permission;
    },
    mcpServerOf: (name) => mcpServerOf(mcp.tools().find((tool) => tool.name === name)),
  });
}

/** Asks the MCP tool named on the command line, otherwise the host. */
function askerOf({ config, host, outlet, hooks, mcp, workspace }: GateParts): AskHost {
  const { promptTool } = config;
  if (promptTool !== undefined)
    return (request, signal) => askPermissionTool(promptTool, mcp, workspace, request, signal);
  return async (request, signal) => {
    outlet.state("requires_action");
    if (hooks.listens("Notification")) {
      const message = `Permission is needed to use ${request.tool_name}`;
      void hooks.run("Notification", { message, notification_type: "permission_prompt" }, { signal });
    }
    try {
      return await host.request("can_use_tool", request, { signal });
    } finally {
      outlet.state("running");
    }
  };
}

/** Asks an MCP tool instead of the host; it answers with the same JSON, as text. */
async function askPermissionTool(
  name: string,
  mcp: McpServers,
  workspace: Workspace,
  request: CanUseTool,
  signal: AbortSignal,
): Promise<JsonObject> {
  const tool = mcp.tools().find((known) => known.name === name);
  if (!tool) throw new Error(`the permission prompt tool ${name} was not found among the MCP tools`);
  const { tool_name, input, tool_use_id } = request;
  const context: ToolContext = { callId: `permission-${tool_use_id}`, workspace, signal };
  const { content, isError } = await tool.run({ tool_name, input, tool_use_id }, context);
  const text = typeof content === "string" ? content : content.map(textOf).join("");
  if (isError) throw new Error(text);
  const answer: unknown = JSON.parse(text);
  if (!isJsonObject(answer)) throw new Error(`${name} did not answer with a JSON object`);
  return answer;
}

const textOf = (block: { readonly type: string; readonly text?: unknown }) =>
  block.type === "text" && typeof block.text === "string" ? block.text : "";
