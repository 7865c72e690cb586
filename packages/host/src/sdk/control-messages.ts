import type { HookEvent } from "@agentwire/protocol/hooks";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { AgentDefinition } from "./agents.ts";
import type { SdkPluginConfig } from "./catalog.ts";
import type { ElicitedInput } from "./hooks/base.ts";
import type { HookInput } from "./hooks/inputs.ts";
import type { McpServerConfigForProcessTransport, McpServerToolPolicy } from "./mcp.ts";
import type { McpServerProvenance, PermissionUpdate } from "./permissions.ts";

type Of<Subtype extends string, Fields = unknown> = { subtype: Subtype } & Fields;

type Initialize = Of<
  "initialize",
  {
    hooks?: Partial<
      Record<
        HookEvent,
        {
          matcher?: string;
          hookCallbackIds: string[];
          timeout?: number;
          onFailure?: "continue" | "block";
        }[]
      >
    >;
    sdkMcpServers?: string[];
    sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
    sdkMcpServerManifests?: Record<
      string,
      { initializeResult: Record<string, unknown>; toolsListResult?: Record<string, unknown> }
    >;
    sdkMcpServerManifestsOrigin?: "host_per_send";
    jsonSchema?: Record<string, unknown>;
    systemPrompt?: string[];
    appendSystemPrompt?: string;
    systemPromptSnapshot?: boolean;
    planModeInstructions?: string;
    toolAliases?: Record<string, string>;
    excludeDynamicSections?: boolean;
    agents?: Record<string, AgentDefinition>;
    title?: string;
    skills?: string[];
    promptSuggestions?: boolean;
    agentProgressSummaries?: boolean;
    forwardSubagentText?: boolean;
    supportedDialogKinds?: string[];
    perTaskStopAffordance?: boolean;
    plugins?: SdkPluginConfig[];
  }
>;

type CanUseTool = Of<
  "can_use_tool",
  {
    tool_name: string;
    mcp_server?: McpServerProvenance;
    input: Record<string, unknown>;
    permission_suggestions?: PermissionUpdate[];
    blocked_path?: string;
    decision_reason?: string;
    decision_reason_type?:
      | "rule"
      | "mode"
      | "subcommandResults"
      | "permissionPromptTool"
      | "hook"
      | "asyncAgent"
      | "sandboxOverride"
      | "workingDir"
      | "safetyCheck"
      | "classifier"
      | "other";
    classifier_approvable?: boolean;
    suppress_always_allow_rule?: boolean;
    default_to_no?: boolean;
    matched_ask_rule?: { source: string; tool_name: string; rule_content?: string };
    title?: string;
    display_name?: string;
    tool_use_id: string;
    agent_id?: string;
    description?: string;
    requires_user_interaction?: boolean;
  }
>;

type Elicitation = Of<
  "elicitation",
  ElicitedInput & {
    property_order?: string[];
    title?: string;
    display_name?: string;
    description?: string;
  }
>;

type OfAgent =
  | CanUseTool
  | Elicitation
  | Of<"hook_callback", { callback_id: string; input: HookInput; tool_use_id?: string }>
  | Of<"mcp_message", { server_name: string; message: JSONRPCMessage }>
  | Of<
      "request_user_dialog",
      { dialog_kind: string; payload: Record<string, unknown>; tool_use_id?: string }
    >;

type OfMcp =
  | Of<
      "mcp_call",
      {
        tool: string;
        arguments?: Record<string, unknown>;
        expires_at?: string;
        timeout_ms?: number;
        result_not_for_model?: boolean;
        check_permissions?: boolean;
        input_files?: { name: string; lane_path: string }[];
        output_files?: { name: string; lane_path: string; if_match?: string }[];
      }
    >
  | Of<"mcp_read_resource", { serverName: string; uri: string }>
  | Of<"mcp_reconnect", { serverName: string }>
  | Of<"mcp_set_servers", { servers: Record<string, McpServerConfigForProcessTransport> }>
  | Of<"mcp_status", { liveReply?: boolean }>
  | Of<"mcp_toggle", { serverName: string; enabled: boolean }>;

type OfQuestions =
  | Of<"file_suggestions", { query: string }>
  | Of<"get_binary_version">
  | Of<"get_context_usage", { detail?: "summary" | "full" }>
  | Of<"get_hooks_listing">
  | Of<"get_session_cost">
  | Of<"get_settings">
  | Of<"get_task_output", { task_id: string }>
  | Of<"get_usage", { skip_behaviors?: boolean }>
  | Of<"list_models">
  | Of<"list_permission_rules">
  | Of<"read_file", { path: string; max_bytes?: number; encoding?: "utf-8" | "base64" }>;

type OfChanges =
  | Of<"apply_flag_settings", { settings: Record<string, unknown> }>
  | Of<"background_tasks", { tool_use_id?: string }>
  | Of<"cancel_async_message", { message_uuid: string }>
  | Of<"interrupt", { cancel_queued?: boolean }>
  | Of<
      "register_repo_root",
      { directory: string; reload_claude_md?: boolean; reload_plugins?: boolean; reload_skills?: boolean }
    >
  | Of<"reload_output_styles">
  | Of<
      "reload_plugins",
      { hold_on_cache_impact?: boolean; add_plugins?: SdkPluginConfig[]; refuse_if_busy?: boolean }
    >
  | Of<"reload_skills">
  | Of<"rename_session", { title: string; source?: "remote" | "host"; session_id?: string }>
  | Of<"rewind_files", { user_message_id: string; dry_run?: boolean }>
  | Of<"seed_read_state", { path: string; mtime: number }>
  | Of<"set_color", { color: string }>
  | Of<"set_has_subscribers", { has_subscribers: boolean | null }>
  | Of<
      "set_max_thinking_tokens",
      {
        max_thinking_tokens?: number | null;
        thinking_display?: "summarized" | "omitted" | "highlights" | null;
      }
    >
  | Of<"set_model", { model?: string | null }>
  | Of<"set_permission_mode", { mode: PermissionMode }>
  | Of<"stop_task", { task_id: string }>
  | Of<"update_settings", { source: "localSettings" | "userSettings"; settings: Record<string, unknown> }>;

/** A request of either end, as it is on the wire. */
export type SDKControlRequest = {
  type: "control_request";
  request_id: string;
  request: Initialize | OfAgent | OfMcp | OfQuestions | OfChanges;
};

type StillOpen = {
  request_id: string;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The answer to a request, as it is on the wire. */
export type SDKControlResponse = {
  type: "control_response";
  response:
    | (StillOpen & { subtype: "success"; response?: Record<string, unknown> })
    | (StillOpen & { subtype: "error"; error: string });
};
