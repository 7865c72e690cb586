import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

/** The policy of a host or an organization for one tool of a server, which overrides the rules. */
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
  /** Loads every tool of the server at once instead of leaving them to a search. */
  alwaysLoad?: boolean;
};

type Remote = CallLimit &
  Loading & { url: string; headers?: Record<string, string>; tools?: McpServerToolPolicy[] };

/** An MCP server that the agent starts as a command. */
export type McpStdioServerConfig = CallLimit &
  Loading & { type?: "stdio"; command: string; args?: string[]; env?: Record<string, string> };

/** An MCP server that is reached through server-sent events. */
export type McpSSEServerConfig = Remote & { type: "sse" };

/** An MCP server that is reached through streamable HTTP. */
export type McpHttpServerConfig = Remote & { type: "http" };

/** An MCP server that runs inside the host, as it is announced to the agent. */
export type McpSdkServerConfig = CallLimit & { type: "sdk"; name: string; tools?: McpServerToolPolicy[] };

/** An MCP server that runs inside the host, with its instance. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServer };

/** An MCP server behind the account's proxy; only ever reported, never configured. */
export type McpClaudeAIProxyServerConfig = CallLimit & { type: "claudeai-proxy"; url: string; id: string };

/** Every kind of MCP server that a host can configure. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

/** Every kind of MCP server that can be configured on the wire. */
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

/** The status of one MCP server of the session. */
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

/** The result of replacing the session's MCP servers. */
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
