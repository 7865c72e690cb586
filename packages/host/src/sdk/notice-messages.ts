import type { SystemOf, Trailer } from "./envelope.ts";

/** The user should be told something. */
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

/** A remark of the agent's own. */
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

/** What a slash command wrote that was answered without the model. */
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

/** Memories were put before the model. */
export type SDKMemoryRecallMessage = SystemOf<
  "memory_recall",
  {
    mode: "select" | "synthesize";
    memories: { path: string; scope: "personal" | "team" | "organization"; content?: string }[];
  }
>;

/** The user has done what an MCP server sent them elsewhere for. */
export type SDKElicitationCompleteMessage = SystemOf<
  "elicitation_complete",
  { mcp_server_name: string; elicitation_id: string }
>;

/** Files of the session were put in safe keeping. */
export type SDKFilesPersistedEvent = SystemOf<
  "files_persisted",
  {
    files: { filename: string; file_id: string }[];
    failed: { filename: string; error: string }[];
    processed_at: string;
  }
>;

/** What the user may want to say next. */
export type SDKPromptSuggestionMessage = Trailer & { type: "prompt_suggestion"; suggestion: string };
