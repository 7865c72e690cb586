import type { ProcessGroups } from "@agentwire/local/process";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Log } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import { namedServers, PLUGIN_PREFIX } from "../context/plugins.ts";
import type { HookResult, Hooks } from "../hooks/hooks.ts";
import type { HostLink } from "../host/host-link.ts";
import type { Notice } from "../host/outlet.ts";
import { type McpConfig, readMcpConfig } from "../mcp/config/config.ts";
import type { AskElicitation, ElicitationAnswer } from "../mcp/elicitation.ts";
import { createMcpServers } from "../mcp/mcp-servers.ts";
import type { McpScope, McpServers } from "../mcp/servers.ts";
import type { Settings } from "../settings/settings.ts";
import type { Withheld } from "../settings/untrusted.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { SessionContext } from "./context.ts";

/** What the MCP servers of a session are created from. */
export interface McpParts {
  readonly config: Config;
  readonly settings: Settings;
  readonly host: HostLink;
  readonly log: Log;
  readonly groups: ProcessGroups;
  readonly hooks: Hooks;
  readonly workspace: Pick<Workspace, "sandbox" | "roots">;
  /** Sends a notice to the host. */
  readonly tell: (notice: Notice) => void;
  readonly complain: (text: string) => void;
}

/** Creates the session's MCP servers and starts connecting those that are configured. */
export async function sessionServers(
  parts: McpParts,
): Promise<{ readonly servers: McpServers; readonly withheld: readonly Withheld[] }> {
  const servers = newServers(parts);
  const found = await configured(parts);
  begin(servers, found, parts.complain);
  return { servers, withheld: found.withheld };
}

/** Creates an empty set of MCP servers; `isOfProject` tells which count as the project's for the sandbox. */
export function newServers(
  parts: Pick<McpParts, "config" | "host" | "log" | "groups" | "hooks" | "tell" | "workspace">,
  isOfProject: (scope: McpScope) => boolean = (scope) => scope === "project",
): McpServers {
  const { config, host, log, groups, hooks, tell, workspace } = parts;
  const { env, cwd, mcpToolTimeoutMs, mcpConnectTimeoutMs, sharesProcess } = config;
  return createMcpServers({
    version: VERSION,
    send: async (server, message) => {
      const answer = await host.request("mcp_message", { server_name: server, message });
      return isJsonObject(answer.mcp_response) ? answer.mcp_response : {};
    },
    log,
    env,
    cwd,
    groups,
    sharesProcess,
    inside: (scope) => {
      const { sandbox, roots } = workspace;
      return sandbox?.holds("mcpServers", isOfProject(scope)) ? { sandbox, roots } : undefined;
    },
    ...(mcpToolTimeoutMs && { toolTimeoutMs: mcpToolTimeoutMs }),
    ...(mcpConnectTimeoutMs && { connectTimeoutMs: mcpConnectTimeoutMs }),
    onElicitation: elicitationAsker(host, hooks),
    onElicitationComplete: (mcp_server_name, elicitation_id) =>
      tell({ type: "system", subtype: "elicitation_complete", mcp_server_name, elicitation_id }),
  });
}

/** Starts connecting the servers of plugins, and disconnects those that no longer belong to any plugin; others are unaffected. */
export async function startPluginServers(
  session: Pick<SessionContext, "mcp" | "files" | "config" | "complain">,
): Promise<void> {
  const { mcp: servers, config, complain } = session;
  const { cwd, env } = config;
  const { plugins } = await session.files.load();
  const named = new Set(plugins.flatMap((plugin) => Object.keys(namedServers(plugin))));
  const connected = servers.status().map(({ name }) => name);
  await servers.remove(connected.filter((name) => name.startsWith(PLUGIN_PREFIX) && !named.has(name)));
  for (const plugin of plugins) {
    const mcpServers = namedServers(plugin);
    if (Object.keys(mcpServers).length === 0) continue;
    const found = await readMcpConfig({
      given: [JSON.stringify({ mcpServers })],
      strict: true,
      cwd,
      env: { ...env, CLAUDE_PLUGIN_ROOT: plugin.path },
    });
    begin(servers, found, complain);
  }
}

async function configured({ config, settings }: McpParts): Promise<McpConfig> {
  const { mcpConfigs, strictMcp, env, projectRoot, contextSources: sources, userFile } = config;
  const found = await readMcpConfig({
    given: mcpConfigs,
    strict: strictMcp || sources.size === 0,
    cwd: projectRoot,
    env,
    ...(sources.has("project") && {
      project: { isTrusted: settings.isTrusted, without: disabledServers(settings.effective) },
    }),
    ...((sources.has("user") || sources.has("local")) && { userFile }),
  });
  const isWanted = ([name]: readonly [string, unknown]) => {
    const scope = found.scopes[name] ?? "dynamic";
    return scope === "dynamic" || sources.has(scope);
  };
  return { ...found, servers: Object.fromEntries(Object.entries(found.servers).filter(isWanted)) };
}

function begin(servers: McpServers, found: McpConfig, complain: (text: string) => void): void {
  for (const { where, message } of found.problems) complain(`agentwire-agent: MCP ${where}: ${message}\n`);
  if (Object.keys(found.servers).length > 0) servers.start(found.servers, found.scopes);
}

function disabledServers({ disabledMcpjsonServers: names }: JsonObject): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** Passes the questions of MCP servers to the hooks, which may answer them, then to the host; hooks may change its answer. */
function elicitationAsker(host: HostLink, hooks: Hooks): AskElicitation {
  return async (question, signal) => {
    const { mcp_server_name, message, mode, url, elicitation_id, requested_schema } = question;
    const about = { mcp_server_name, ...(mode && { mode }), ...(elicitation_id && { elicitation_id }) };
    const ask = async (event: "Elicitation" | "ElicitationResult", facts: JsonObject) =>
      hooks.listens(event) ? answerOf(await hooks.run(event, { ...about, ...facts }, { signal })) : undefined;
    const answered = await ask("Elicitation", {
      message,
      ...(url !== undefined && { url }),
      ...(requested_schema && { requested_schema }),
    });
    if (answered) return answered;
    const answer = await host.request("elicitation", question, { signal });
    const { action, content } = answer;
    return (await ask("ElicitationResult", { action, ...(content && { content }) })) ?? answer;
  };
}

/** The hooks' answer; undefined if they gave none. */
function answerOf({ specific: { action, content }, block, stop }: HookResult): ElicitationAnswer | undefined {
  if (block || stop) return { action: "decline" };
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined;
  return { action, ...(isJsonObject(content) && { content }) };
}
