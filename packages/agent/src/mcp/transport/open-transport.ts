import type { ProcessGroups } from "@agentwire/local/process";
import type { McpServerConfig } from "@agentwire/protocol/control";
import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Inside } from "../../sandbox/sandbox.ts";
import type { Manifest } from "../manifest.ts";
import type { McpScope } from "../servers.ts";
import { HostTransport, type SendToHost } from "./host-transport.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** What the ways to servers need of the session. */
export interface TransportContext {
  readonly send: SendToHost;
  readonly log: Log;
  /** The environment of servers that are programs; their own `env` comes on top. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Who sees to it that servers that are programs end with the agent. */
  readonly groups: ProcessGroups;
  /** The sandbox that servers of a scope run in, where they are programs and are to. */
  readonly inside?: (scope: McpScope) => Inside | undefined;
}

/** Makes the way to a server; throws where the configuration leads nowhere. */
export async function openTransport(
  name: string,
  { config, scope }: { readonly config: McpServerConfig; readonly scope: McpScope },
  context: TransportContext,
  manifest: Manifest | undefined,
): Promise<Transport> {
  switch (config.type) {
    case "sdk":
      return new HostTransport(name, context.send, manifest);
    case "http": {
      const { StreamableHTTPClientTransport } = await import(
        "@modelcontextprotocol/sdk/client/streamableHttp.js"
      );
      return new StreamableHTTPClientTransport(new URL(config.url), remoteOptions(config.headers));
    }
    case "sse": {
      const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
      return new SSEClientTransport(new URL(config.url), remoteOptions(config.headers));
    }
    case "unknown":
      throw new Error(`servers of type ${JSON.stringify(config.payload.type)} are not supported`);
    default: {
      const { command, args = [], env } = config;
      return new StdioTransport(
        { command, args, env: { ...context.env, ...env }, cwd: context.cwd, inside: context.inside?.(scope) },
        context.groups,
        context.log,
      );
    }
  }
}

/** Why a connection has ended, where the transport knows. */
export function endReason(transport: Transport): string | undefined {
  return transport instanceof StdioTransport ? transport.endReason : undefined;
}

function remoteOptions(headers: Readonly<Record<string, string>> | undefined) {
  return headers === undefined ? {} : { requestInit: { headers: { ...headers } } };
}
