import type { JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import type { McpSdkServerConfigWithInstance, McpServerConfig, McpServerToolPolicy } from "../sdk/mcp.ts";
import { HostedTransport } from "./hosted-transport.ts";

/** What the agent is told about a server besides its name. */
export interface HostedServerSettings {
  readonly timeout?: number;
  readonly tools?: readonly McpServerToolPolicy[];
}

/** What a server answers to the MCP handshake. */
export interface Manifest {
  readonly initializeResult: JsonObject;
  readonly toolsListResult?: JsonObject;
}

/** The answers of several servers, by name. */
export type Manifests = Readonly<Record<string, Manifest>>;

interface Hosted {
  readonly transport: HostedTransport;
  readonly connected: Promise<void>;
  settings: HostedServerSettings;
}

/** The MCP servers that run in this process for one session. */
export class HostedServers {
  readonly #servers = new Map<string, Hosted>();
  readonly #toAgent: (server: string, message: JsonObject) => void;

  constructor(
    servers: ReadonlyMap<string, McpSdkServerConfigWithInstance>,
    toAgent: (server: string, message: JsonObject) => void,
  ) {
    this.#toAgent = toAgent;
    for (const [name, config] of servers) this.#connect(name, config);
  }

  get names(): string[] {
    return [...this.#servers.keys()];
  }

  /** The settings of the servers that have any. */
  get settings(): Readonly<Record<string, HostedServerSettings>> | undefined {
    const given = [...this.#servers].filter(([, { settings }]) => Object.keys(settings).length > 0);
    return given.length > 0
      ? Object.fromEntries(given.map(([name, { settings }]) => [name, settings]))
      : undefined;
  }

  /** Delivers a message of the agent to a server and resolves with the answer. */
  async deliver(name: string, message: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`this host has no MCP server ${name}`);
    await server.connected;
    return await server.transport.deliver(message, signal);
  }

  /** Replaces the servers and returns how to announce them to the agent. A server that stays is not connected again. */
  async replace(
    servers: ReadonlyMap<string, McpSdkServerConfigWithInstance>,
  ): Promise<Readonly<Record<string, { type: "sdk"; name: string } & HostedServerSettings>>> {
    for (const [name, { transport }] of [...this.#servers]) {
      if (servers.has(name)) continue;
      await transport.close();
      this.#servers.delete(name);
    }
    for (const [name, config] of servers) {
      const known = this.#servers.get(name);
      if (!known) this.#connect(name, config);
      else if (config.tools) known.settings = { ...known.settings, tools: config.tools };
    }
    return Object.fromEntries(
      [...this.#servers].map(([name, { settings }]) => [name, { type: "sdk", name, ...settings }]),
    );
  }

  close(): void {
    for (const { transport } of this.#servers.values()) void transport.close();
    this.#servers.clear();
  }

  #connect(name: string, config: McpSdkServerConfigWithInstance): void {
    const transport = new HostedTransport((message) => this.#toAgent(name, message));
    const connected = config.instance.connect(transport).catch((cause: unknown) => {
      this.#servers.delete(name);
      throw new HostError("invalid_option", `the MCP server ${name} can't be connected`, { cause });
    });
    // The pending request for the server is rejected with the error; otherwise it is not reported.
    connected.catch(() => undefined);
    this.#servers.set(name, { transport, connected, settings: settingsOf(config) });
  }
}

/** Splits MCP servers into those of this process and those that the agent starts or connects to itself. */
export function splitServers(servers: Readonly<Record<string, McpServerConfig>> = {}): {
  readonly hosted: ReadonlyMap<string, McpSdkServerConfigWithInstance>;
  readonly others: Record<string, McpServerConfig>;
} {
  const hosted = new Map<string, McpSdkServerConfigWithInstance>();
  const others: Record<string, McpServerConfig> = {};
  for (const [name, config] of Object.entries(servers)) {
    // The value of a `condition && server` whose condition is false.
    if (!config) continue;
    if (config.type === "sdk" && config.instance) hosted.set(name, config);
    else others[name] = config;
  }
  return { hosted, others };
}

function settingsOf({ timeout, tools }: McpSdkServerConfigWithInstance): HostedServerSettings {
  return {
    ...(Number.isInteger(timeout) && timeout !== undefined && timeout > 0 && { timeout }),
    ...(Array.isArray(tools) && { tools }),
  };
}
