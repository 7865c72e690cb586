import type { AgentInfo } from "./agents.ts";
import type {
  AccountInfo,
  FastModeDisabledReason,
  FastModeState,
  ModelInfo,
  SDKSettingsParseError,
  SlashCommand,
} from "./catalog.ts";
import type { McpServerStatus } from "./mcp.ts";
import type { PermissionBehavior } from "./permissions.ts";

/** What the agent reports about itself when it is set up. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  hooks_applied?: boolean;
  hook_on_failure_supported?: boolean;
  plugins_applied?: boolean;
  sdk_mcp_manifests_parked?: Record<
    string,
    "parked" | "already_connected" | "protocol_version_mismatch" | "malformed" | "not_honoured"
  >;
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
};

/** Which prompts an interrupt left in the queue, and which it cancelled. */
export type SDKControlInterruptResponse = { still_queued: string[]; cancelled?: string[] };

/** What restoring an earlier state of the files did, or would do. */
export type RewindFilesResult = {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** A file as the agent reads it. */
export type SDKControlReadFileResponse = {
  contents: string;
  absPath: string;
  truncated?: boolean;
  encoding?: "base64";
  lossy?: boolean;
};

/** A resource of an MCP server. */
export type SDKControlMcpReadResourceResponse = {
  contents: {
    uri: string;
    mimeType?: string;
    text?: string;
    blob?: string;
    _meta?: Record<string, unknown>;
  }[];
};

/** The output styles after a reload. */
export type SDKControlReloadOutputStylesResponse = { available_output_styles: string[] };

/** The skills after a reload. */
export type SDKControlReloadSkillsResponse = { skills: SlashCommand[] };

/** What the plugins provide after a reload. */
export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: { name: string; path: string; source?: string; version?: string }[];
  mcpServers: McpServerStatus[];
  error_count: number;
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: "adds" | "may-add" | "removes" | "may-remove" | null;
  };
};

/** A rule in words, with the part to emphasize. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

/** One permission rule of the session. */
export type SDKPermissionRuleEntry = {
  behavior: PermissionBehavior;
  source:
    | "userSettings"
    | "projectSettings"
    | "localSettings"
    | "flagSettings"
    | "policySettings"
    | "cliArg"
    | "command"
    | "session"
    | "mcpMount"
    | "toolsNarrowing"
    | "mcpServerPolicy"
    | "hostCredential";
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: "persistent" | "session" | "readonly";
  notInEffect?: boolean;
};

/** A folder that the session works in. */
export type SDKPermissionWorkspaceDirectory = { path: string; source: string };

/** All permission rules and folders of the session. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** The answer to a request for the permission rules. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };
