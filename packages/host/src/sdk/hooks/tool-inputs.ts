import type { McpServerProvenance, PermissionUpdate } from "../permissions.ts";
import type { InputOf } from "./base.ts";

type Call = { tool_name: string; tool_input: unknown; mcp_server?: McpServerProvenance };
type NamedCall = Call & { tool_use_id: string };

/** A tool is about to run. */
export type PreToolUseHookInput = InputOf<"PreToolUse", NamedCall>;

/** A tool has run. */
export type PostToolUseHookInput = InputOf<
  "PostToolUse",
  NamedCall & { tool_response: unknown; duration_ms?: number }
>;

/** A tool has failed. */
export type PostToolUseFailureHookInput = InputOf<
  "PostToolUseFailure",
  NamedCall & { error: string; is_interrupt?: boolean; duration_ms?: number }
>;

/** One call of a step whose tools have all run. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** All tools of a step have run. */
export type PostToolBatchHookInput = InputOf<"PostToolBatch", { tool_calls: PostToolBatchToolCall[] }>;

/** The host is about to be asked about a tool call. */
export type PermissionRequestHookInput = InputOf<
  "PermissionRequest",
  Call & { permission_suggestions?: PermissionUpdate[] }
>;

/** A tool call was not allowed. */
export type PermissionDeniedHookInput = InputOf<"PermissionDenied", NamedCall & { reason: string }>;
