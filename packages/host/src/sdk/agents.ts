import type { PermissionMode } from "@agentwire/protocol/permission";
import type { McpServerConfigForProcessTransport } from "./mcp.ts";

/** How hard a model thinks. */
export type EffortLevel = "low" | "medium" | "high" | "xhigh" | "max";

/** The name of a server that the session already has, or servers only for the subagent. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A kind of subagent that the host adds to the session. */
export type AgentDefinition = {
  /** When the model should use it. */
  description: string;
  prompt: string;
  /** Absent: all tools of the session. */
  tools?: string[];
  disallowedTools?: string[];
  /** Alias, id or `inherit`. */
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  skills?: string[];
  initialPrompt?: string;
  maxTurns?: number;
  autoCompactWindow?: number;
  background?: boolean;
  omitClaudeMd?: boolean;
  memory?: "user" | "project" | "local";
  effort?: EffortLevel | number;
  permissionMode?: PermissionMode;
  observer?: string;
  observerMessage?: string;
};

/** A kind of subagent that the session can start. */
export type AgentInfo = { name: string; description: string; model?: string };
