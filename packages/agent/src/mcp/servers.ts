import type { JsonObject } from "@agentwire/protocol";
import type { McpServerConfig, McpServerStatus } from "@agentwire/protocol/control";
import type { McpOrigin, Tool } from "../tools/tool.ts";
import type { ManifestState } from "./manifest.ts";
import type { McpPrompt } from "./prompts.ts";

/** Who configured a server: a flag or the host at run time, the project's file, or the user for all projects or for one. */
export type McpScope = "dynamic" | "project" | "user" | "local";

/** Limits that end a call early. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** A tool whose calls the host wants denied or asked about, whatever the rules allow. */
export interface ToolPolicy {
  /** The tool's full name. */
  readonly tool: string;
  readonly behavior: "ask" | "deny";
}

/** Servers by name. */
export type McpServerConfigs = { readonly [name: string]: McpServerConfig };

/** The MCP servers of a session. A slow or dead server never delays a turn for long. */
export interface McpServers {
  /**
   * Starts connecting and returns at once. The host's in-process servers are given by name, all others by configuration. May be
   * called again: servers with an unchanged configuration stay as they are.
   */
  start(servers: McpServerConfigs, scopes?: { readonly [name: string]: McpScope }): void;
  /** Accepts the handshake answers of in-process servers in advance, so that `start` need not request them. */
  park(manifests: { readonly [server: string]: JsonObject }): { [server: string]: ManifestState };
  /** Resolves when every server is connected, has failed, or has reached its deadline. */
  settled(signal: AbortSignal): Promise<void>;
  /** The tools of all connected servers, as `mcp__server__tool`. */
  tools(): readonly Tool[];
  /** The usage instructions of the connected servers, for the system prompt; empty if there are none. */
  instructions(): string;
  /** The prompts of all connected servers, offered as slash commands named `mcp__server__prompt`. */
  prompts(): readonly McpPrompt[];
  status(): readonly McpServerStatus[];
  /** Reconnects a server; rejects with the reason on failure. */
  reconnect(name: string): Promise<void>;
  /** Enables or disables a server; rejects if it does not exist or can't be started. */
  toggle(name: string, enabled: boolean): Promise<void>;
  /** Replaces the servers set by the previous call, and those in the host. */
  set(
    servers: McpServerConfigs,
  ): Promise<{ added: string[]; removed: string[]; errors: { [name: string]: string } }>;
  /** Removes servers and ends their processes. */
  remove(names: readonly string[]): Promise<void>;
  /** Receives a message that a server in the host sent unprompted. */
  fromHost(server: string, message: JsonObject): void;
  readResource(server: string, uri: string): Promise<JsonObject>;
  /** Calls a tool without the model and returns the server's answer; rejects with the reason on failure. */
  callTool(origin: McpOrigin, input: JsonObject, limits: CallLimits): Promise<JsonObject>;
  /** The tool policies in the servers' configurations. */
  policies(): readonly ToolPolicy[];
  /** Closes all connections and ends their processes. */
  close(): Promise<void>;
}
