import type { ProcessGroups } from "@agentwire/local/process";
import type { Unknown } from "@agentwire/protocol";
import type { McpServerConfig } from "@agentwire/protocol/control";
import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Inside } from "../../sandbox/sandbox.ts";
import type { Manifest } from "../manifest.ts";
import type { McpScope } from "../servers.ts";
import { HostTransport, type SendToHost } from "./host-transport.ts";
import { SessionTransport } from "./session-transport.ts";
import { joinConnection } from "./sharing.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** What transports need from the session. */
export interface TransportContext {
  readonly send: SendToHost;
  readonly log: Log;
  /** The environment for servers that are programs; their own `env` is added to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Makes sure that server processes end with the agent. */
  readonly groups: ProcessGroups;
  /** The sandbox for the server programs of a scope, if they are to run in one. */
  readonly inside?: (scope: McpScope) => Inside | undefined;
  /** Whether other sessions run in this process; servers declared as shared are then shared with them. */
  readonly sharesProcess?: boolean;
}

/** Creates the transport to a server; throws if the configuration is unusable. */
export async function openTransport(
  name: string,
  { config, scope }: { readonly config: McpServerConfig; readonly scope: McpScope },
  context: TransportContext,
  manifest: Manifest | undefined,
): Promise<Transport> {
  if (config.type === "sdk") return new HostTransport(name, context.send, manifest);
  if (config.type === "unknown")
    throw new Error(`servers of type ${JSON.stringify(config.payload.type)} are not supported`);
  const inside = context.inside?.(scope);
  if (!context.sharesProcess || inside || config.shared !== true)
    return await openOwn(config, { ...context, inside });
  const { cwd, log } = context;
  return joinConnection(keyOf(config, context), log, (groups, toAll) =>
    openOwn(config, { env: context.env, cwd, groups, log: toAll }),
  );
}

type OutsideConfig = Exclude<McpServerConfig, Unknown | { readonly type: "sdk" }>;

/** What opening a connection needs besides the configuration. */
interface Surroundings extends Pick<TransportContext, "env" | "cwd" | "groups" | "log"> {
  readonly inside?: Inside | undefined;
}

async function openOwn(
  config: OutsideConfig,
  { env: around, cwd, groups, log, inside }: Surroundings,
): Promise<Transport> {
  switch (config.type) {
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
    default: {
      const { command, args = [], env } = config;
      return new StdioTransport({ command, args, env: { ...around, ...env }, cwd, inside }, groups, log);
    }
  }
}

/** Everything that could matter to the server: it can't tell sessions with the same key apart. */
function keyOf(config: OutsideConfig, { env: around, cwd }: TransportContext): string {
  if (config.type === "http" || config.type === "sse")
    return JSON.stringify([config.type, config.url, sorted(config.headers ?? {})]);
  const { command, args = [], env } = config;
  return JSON.stringify([command, args, sorted({ ...around, ...env }), cwd]);
}

const sorted = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1));

/** Why a connection ended, if the transport knows. */
export function endReason(transport: Transport): string | undefined {
  return transport instanceof StdioTransport || transport instanceof SessionTransport
    ? transport.endReason
    : undefined;
}

function remoteOptions(headers: Readonly<Record<string, string>> | undefined) {
  return headers === undefined ? {} : { requestInit: { headers: { ...headers } } };
}
