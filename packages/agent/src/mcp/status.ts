import { type JsonObject, Unknown } from "@agentwire/protocol";
import type { McpServerConfig, McpServerStatus } from "@agentwire/protocol/control";
import type { ListedTool } from "./listing.ts";
import type { McpScope } from "./servers.ts";

/** Who configured a server, in the terms of `mcp_servers` and permission questions. */
export function sourceOf(server: { readonly config: McpServerConfig; readonly scope: McpScope }): string {
  return server.config.type === "sdk" ? "sdk" : server.scope;
}

/** A server's row in the answer to `mcp_status`. */
export function serverStatus(
  server: { readonly name: string; readonly config: McpServerConfig; readonly scope: McpScope },
  status: McpServerStatus["status"],
  facts: {
    readonly info: { readonly name: string; readonly version: string } | undefined;
    readonly error: string | undefined;
    readonly tools: readonly ListedTool[];
  },
): McpServerStatus {
  return {
    name: server.name,
    status,
    ...(facts.info && { serverInfo: { ...facts.info } }),
    ...(facts.error !== undefined && { error: facts.error }),
    config: plainConfig(server.config),
    scope: server.scope,
    source: sourceOf(server),
    ...(status === "connected" && { tools: facts.tools.map(toolRow) }),
  };
}

function toolRow({ name, description, annotations }: ListedTool) {
  return {
    name,
    ...(description !== "" && { description }),
    annotations: {
      ...flag("readOnly", annotations.readOnlyHint),
      ...flag("destructive", annotations.destructiveHint),
      ...flag("openWorld", annotations.openWorldHint),
    },
  };
}

function flag(name: string, value: unknown): JsonObject {
  return typeof value === "boolean" ? { [name]: value } : {};
}

function plainConfig(config: McpServerConfig): JsonObject {
  return config instanceof Unknown ? config.payload : { ...config };
}
