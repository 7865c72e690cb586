import type { SystemOf, Trailer } from "./envelope.ts";

/** A notification for the user. */
export type SDKNotificationMessage = SystemOf<
  "notification",
  {
    key: string;
    text: string;
    priority: "low" | "medium" | "high" | "immediate";
    color?: string;
    timeout_ms?: number;
  }
>;

/** A remark by the agent itself. */
export type SDKInformationalMessage = SystemOf<
  "informational",
  {
    content: string;
    level: "info" | "notice" | "suggestion" | "warning";
    tool_use_id?: string;
    prevent_continuation?: boolean;
    tag?: string;
  }
>;

/** The output of a slash command that ran without the model. */
export type SDKLocalCommandOutputMessage = SystemOf<"local_command_output", { content: string }>;

/** A tool call was not allowed. */
export type SDKPermissionDeniedMessage = SystemOf<
  "permission_denied",
  {
    tool_name: string;
    tool_use_id: string;
    agent_id?: string;
    decision_reason_type?: string;
    decision_reason?: string;
    message: string;
  }
>;

/** Memories were added to the model's context. */
export type SDKMemoryRecallMessage = SystemOf<
  "memory_recall",
  {
    mode: "select" | "synthesize";
    memories: { path: string; scope: "personal" | "team" | "organization"; content?: string }[];
  }
>;

/** The user has completed what an MCP server asked for on another page. */
export type SDKElicitationCompleteMessage = SystemOf<
  "elicitation_complete",
  { mcp_server_name: string; elicitation_id: string }
>;

/** Files of the session were saved. */
export type SDKFilesPersistedEvent = SystemOf<
  "files_persisted",
  {
    files: { filename: string; file_id: string }[];
    failed: { filename: string; error: string }[];
    processed_at: string;
  }
>;

/** A suggestion for the user's next prompt. */
export type SDKPromptSuggestionMessage = Trailer & { type: "prompt_suggestion"; suggestion: string };
