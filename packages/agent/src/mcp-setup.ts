import { join } from "node:path";
import { isJsonObject, silentLog } from "@agentwire/protocol";
import type { Config } from "./config.ts";
import type { HostLink } from "./host-link.ts";
import { readMcpConfig } from "./mcp/config/config.ts";
import { createMcpServers } from "./mcp/mcp-servers.ts";
import type { McpServers } from "./mcp/servers.ts";
import { VERSION } from "./version.ts";

/** Makes the session's MCP servers and begins to connect those that are configured. */
export async function mcpServersOf(
  config: Config,
  host: HostLink,
  complain: (text: string) => void,
): Promise<McpServers> {
  const { flags, env, cwd } = config;
  const callTimeout = Number(env.MCP_TOOL_TIMEOUT);
  const connectTimeout = Number(env.MCP_TIMEOUT);
  const servers = createMcpServers({
    version: VERSION,
    send: async (server, message) => {
      const answer = await host.request("mcp_message", { server_name: server, message });
      return isJsonObject(answer.mcp_response) ? answer.mcp_response : {};
    },
    log: silentLog,
    env,
    cwd,
    ...(callTimeout > 0 && { toolTimeoutMs: callTimeout }),
    ...(connectTimeout > 0 && { connectTimeoutMs: connectTimeout }),
    onElicitation: (question, signal) => host.request("elicitation", question, { signal }),
  });
  const isStrict = flags.has("strict-mcp-config") || flags.text("setting-sources") === "";
  const found = await readMcpConfig({
    flags: flags.list("mcp-config"),
    strict: isStrict,
    cwd,
    env,
    project: { without: [] },
    userFile: join(config.home, ".claude.json"),
  });
  for (const { where, message } of found.problems) complain(`agentwire-agent: MCP ${where}: ${message}\n`);
  if (Object.keys(found.servers).length > 0) servers.start(found.servers, found.scopes);
  return servers;
}
