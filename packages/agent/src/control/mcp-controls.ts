import { type Handlers, type hostRequests, ProtocolError, type ResponseOf } from "@agentwire/protocol";
import type { Runtime } from "../runtime.ts";

/** Requests about MCP servers. */
export function mcpControls({ mcp }: Runtime): Handlers<typeof hostRequests> {
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
    mcp_set_servers: ({ servers }) => mcp.set(servers),
    mcp_message({ server_name, message }) {
      mcp.fromHost(server_name, message);
      return {};
    },
    mcp_read_resource: async ({ serverName, uri }) =>
      (await orRefuse(mcp.readResource(serverName, uri))) as ResponseOf<
        typeof hostRequests,
        "mcp_read_resource"
      >,
  };
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ProtocolError("refused", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
