import type { JsonObject } from "@agentwire/protocol";
import type { McpServerConfig, McpServerStatus } from "@agentwire/protocol/control";
import type { McpOrigin, Tool } from "../tools/tool.ts";
import type { ManifestState } from "./manifest.ts";
import type { McpPrompt } from "./prompts.ts";

/** Who configured a server: a flag or the host at run time, the project's file, or the user for everything or for one project. */
export type McpScope = "dynamic" | "project" | "user" | "local";

/** What ends a call early. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** A tool of which the host says, whatever the rules allow, that its calls are denied or asked about. */
export interface ToolPolicy {
  /** Its full name. */
  readonly tool: string;
  readonly behavior: "ask" | "deny";
}

/** Servers by name. */
export type McpServerConfigs = { readonly [name: string]: McpServerConfig };

/** The MCP servers of a session. A slow or dead one never holds up a turn for long. */
export interface McpServers {
  /**
   * Starts connecting; returns at once. In-process servers of the host are named, the others configured. May be called
   * again: what is there already under the same configuration is left alone.
   */
  start(servers: McpServerConfigs, scopes?: { readonly [name: string]: McpScope }): void;
  /** Takes what in-process servers would answer to the handshake, so that `start` need not ask them. */
  park(manifests: { readonly [server: string]: JsonObject }): { [server: string]: ManifestState };
  /** Resolves when every server is connected, failed, or out of time. */
  settled(signal: AbortSignal): Promise<void>;
  /** The tools of all connected servers, as `mcp__server__tool`. */
  tools(): readonly Tool[];
  /** What the connected servers say of how they want to be used, for the system prompt; empty if they say nothing. */
  instructions(): string;
  /** The prompts of all connected servers, as `mcp__server__prompt`: slash commands. */
  prompts(): readonly McpPrompt[];
  status(): readonly McpServerStatus[];
  /** Connects again; rejects with the reason if that fails. */
  reconnect(name: string): Promise<void>;
  /** Switches a server on or off; rejects for one that is not there or does not come up. */
  toggle(name: string, enabled: boolean): Promise<void>;
  /** Replaces the servers that were set this way before, and those in the host. */
  set(
    servers: McpServerConfigs,
  ): Promise<{ added: string[]; removed: string[]; errors: { [name: string]: string } }>;
  /** Takes servers away, with the processes behind them. */
  remove(names: readonly string[]): Promise<void>;
  /** Takes a message that a server in the host sent by itself. */
  fromHost(server: string, message: JsonObject): void;
  readResource(server: string, uri: string): Promise<JsonObject>;
  /** Calls a tool without the model and returns what its server answers; rejects with the reason where that fails. */
  callTool(origin: McpOrigin, input: JsonObject, limits: CallLimits): Promise<JsonObject>;
  /** What the configuration of the servers says of single tools. */
  policies(): readonly ToolPolicy[];
  /** Ends every connection and every process behind one. */
  close(): Promise<void>;
}
