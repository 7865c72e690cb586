import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

/** What a host or an organization says about one tool of a server, whatever the rules say. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: "always_allow" | "always_ask" | "always_deny";
  org_max_permission?: "allow" | "ask" | "blocked";
};

type CallLimit = {
  /** Milliseconds that one tool call may take. */
  timeout?: number;
};

type Loading = {
  /** Puts every tool of the server before the model at once, in place of leaving them to a search. */
  alwaysLoad?: boolean;
};

type Remote = CallLimit &
  Loading & { url: string; headers?: Record<string, string>; tools?: McpServerToolPolicy[] };

/** An MCP server that the agent starts as a command. */
export type McpStdioServerConfig = CallLimit &
  Loading & { type?: "stdio"; command: string; args?: string[]; env?: Record<string, string> };

/** An MCP server behind server-sent events. */
export type McpSSEServerConfig = Remote & { type: "sse" };

/** An MCP server behind streamable HTTP. */
export type McpHttpServerConfig = Remote & { type: "http" };

/** An MCP server that runs inside the host, as the agent is told about it. */
export type McpSdkServerConfig = CallLimit & { type: "sdk"; name: string; tools?: McpServerToolPolicy[] };

/** An MCP server that runs inside the host, with the server itself. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServer };

/** An MCP server behind the account's own proxy; only ever reported, never configured. */
export type McpClaudeAIProxyServerConfig = CallLimit & { type: "claudeai-proxy"; url: string; id: string };

/** Every kind of MCP server that a host can name. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

/** Every kind of MCP server as it can be written on the wire. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** The configuration that a server's status shows. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

type McpToolStatus = {
  name: string;
  description?: string;
  annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
  _meta?: Record<string, unknown>;
};

/** How one MCP server of the session is doing. */
export type McpServerStatus = {
  name: string;
  status: "connected" | "failed" | "needs-auth" | "pending" | "disabled";
  serverInfo?: { name: string; version: string };
  error?: string;
  config?: McpServerStatusConfig;
  scope?: string;
  source?: string;
  tools?: McpToolStatus[];
};

/** What replacing the session's MCP servers did. */
export type McpSetServersResult = { added: string[]; removed: string[]; errors: Record<string, string> };

/** A resource that a tool's result points at. */
export type SDKMcpResourceLink = {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
};
