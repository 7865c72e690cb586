import { type Handlers, isJsonObject, ProtocolError } from "@agentwire/protocol";
import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import { errorMessage } from "@agentwire/protocol/support";
import type { McpServers } from "../mcp/servers.ts";
import type { SessionContext } from "../session/context.ts";
import { mcpCall } from "./mcp-call.ts";

/** The permission modes allowed for a single server; none of them is more permissive than the session's. */
const OWN_MODES = ["default", "auto", null] as const;

/** Requests about MCP servers. */
export function mcpControls(session: SessionContext): Handlers<typeof hostRequests> {
  const { mcp, gate } = session;
  return {
    mcp_status: () => ({ mcpServers: [...mcp.status()] }),
    async mcp_reconnect({ serverName }) {
      await orRefuse(mcp.reconnect(serverName));
      return {};
    },
    async mcp_toggle({ serverName, enabled }) {
      await orRefuse(mcp.toggle(serverName, enabled));
      return {};
    },
    mcp_authenticate({ serverName }) {
      const { type } = serverNamed(mcp, serverName);
      throw new ProtocolError(
        "refused",
        type === "http" || type === "sse"
          ? `This agent can't sign in to ${serverName}: give the server its credentials in headers.`
          : `Server type "${type}" does not support OAuth authentication`,
      );
    },
    mcp_clear_auth({ serverName }) {
      const { type } = serverNamed(mcp, serverName);
      if (type !== "http" && type !== "sse")
        throw new ProtocolError("refused", `Cannot clear auth for server type "${type}"`);
      // Signing in is not supported, so there is nothing to clear.
      return {};
    },
    mcp_set_servers: ({ servers }) => mcp.set(servers),
    mcp_message({ server_name, message }) {
      mcp.fromHost(server_name, message);
      return {};
    },
    mcp_call: (request, context) => orRefuse(mcpCall(session, request, context)),
    set_mcp_permission_mode_override({ serverName, mode }) {
      const wanted = OWN_MODES.find((known) => known === mode);
      if (wanted === undefined)
        throw new ProtocolError("refused", `a server's mode must be default, auto or null, not ${mode}`);
      gate.overrideMode(serverName, wanted);
      const isKnown = mcp.status().some(({ name }) => name === serverName);
      return isKnown ? {} : { warning: `There is no MCP server named ${serverName} yet.` };
    },
    mcp_read_resource: async ({ serverName, uri }) =>
      (await orRefuse(mcp.readResource(serverName, uri))) as ResponseOf<
        typeof hostRequests,
        "mcp_read_resource"
      >,
  };
}

function serverNamed(mcp: McpServers, name: string): { readonly type: string } {
  const server = mcp.status().find((status) => status.name === name);
  if (!server) throw new ProtocolError("refused", `Server not found: ${name}`);
  const type = isJsonObject(server.config) ? server.config.type : undefined;
  return { type: typeof type === "string" ? type : "stdio" };
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ProtocolError) throw cause;
    throw new ProtocolError("refused", errorMessage(cause), { cause });
  }
}
