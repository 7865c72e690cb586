import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { system, trailer } from "./common.ts";

/** A line for the user that is neither a reply nor an error. */
export const informationalMessage = about(
  "X",
  "Sent when the agent or a hook has something to tell the user.",
  system("informational", {
    content: string,
    level: defaulted(oneOf("info", "notice", "suggestion", "warning"), "info"),
    tool_use_id: optional(string),
    prevent_continuation: optional(boolean, "the turn stops here"),
    tag: optional(string),
  }),
);

/** A line for the user that is neither a reply nor an error. */
export type InformationalMessage = Infer<typeof informationalMessage>;

/** A short notice that disappears by itself. */
export const notificationMessage = about(
  "X",
  "Sent for notices that a terminal would show beside the conversation.",
  system("notification", {
    key: defaulted(string, "", "a new notice with the same key replaces the old one"),
    text: string,
    priority: defaulted(oneOf("low", "medium", "high", "immediate"), "medium"),
    color: optional(string),
    timeout_ms: optional(number),
  }),
);

/** A short notice that disappears by itself. */
export type NotificationMessage = Infer<typeof notificationMessage>;

/** The output of a local slash command. */
export const localCommandOutputMessage = about(
  "X",
  "Sent as the answer to a slash command that needs no model.",
  system("local_command_output", { content: string }),
);

/** The output of a local slash command. */
export type LocalCommandOutputMessage = Infer<typeof localCommandOutputMessage>;

/** A tool call was denied without asking anyone. */
export const permissionDeniedMessage = about(
  "X",
  "Sent when a rule or mode denies a tool call; the result's `permission_denials` is the authoritative record.",
  system("permission_denied", {
    tool_name: string,
    tool_use_id: defaulted(string, ""),
    message: defaulted(string, "", "the text given to the model"),
    agent_id: optional(string),
    decision_reason_type: optional(string),
    decision_reason: optional(string),
  }),
);

/** A tool call was denied without asking anyone. */
export type PermissionDeniedMessage = Infer<typeof permissionDeniedMessage>;

/** A question of an MCP server that the user answered in the browser is done. */
export const elicitationCompleteMessage = about(
  "X",
  "Sent when an MCP server reports that a question it asked through a web page has been settled.",
  system("elicitation_complete", {
    mcp_server_name: defaulted(string, ""),
    elicitation_id: string,
  }),
);

/** A question of an MCP server that the user answered in the browser is done. */
export type ElicitationCompleteMessage = Infer<typeof elicitationCompleteMessage>;

/** The progress of signing in. */
export const authStatusMessage = about(
  "X",
  "Sent during sign-in, to hosts that ask for it.",
  object({
    type: literal("auth_status"),
    isAuthenticating: boolean,
    output: defaulted(array(string), []),
    error: optional(string),
    ...trailer,
  }),
);

/** The progress of signing in. */
export type AuthStatusMessage = Infer<typeof authStatusMessage>;

/** The progress of installing plugins. */
export const pluginInstallMessage = about(
  "X",
  "Sent while plugins are installed, before or during the first turn.",
  system("plugin_install", {
    status: oneOf("started", "installed", "failed", "completed"),
    name: optional(string),
    error: optional(string),
  }),
);

/** The progress of installing plugins. */
export type PluginInstallMessage = Infer<typeof pluginInstallMessage>;

/** Files that were stored outside the machine of the session. */
export const filesPersistedMessage = about(
  "X",
  "Sent when files of the session have been uploaded; it also lists those that could not be.",
  system("files_persisted", {
    files: defaulted(array(object({ filename: string, file_id: string })), []),
    failed: defaulted(array(object({ filename: string, error: defaulted(string, "") })), []),
    processed_at: defaulted(string, ""),
  }),
);

/** Files that were stored outside the machine of the session. */
export type FilesPersistedMessage = Infer<typeof filesPersistedMessage>;

/** Memories from earlier sessions that the agent recalled. */
export const memoryRecallMessage = about(
  "X",
  "Sent when memories have been given to the model for this turn.",
  system("memory_recall", {
    mode: defaulted(
      oneOf("select", "synthesize"),
      "select",
      "whole memories, or one text synthesized from many",
    ),
    memories: array(
      object({
        path: string,
        scope: defaulted(oneOf("personal", "team", "organization"), "personal"),
        content: optional(string, "absent if the file at `path` contains it"),
      }),
    ),
  }),
);

/** Memories from earlier sessions that the agent recalled. */
export type MemoryRecallMessage = Infer<typeof memoryRecallMessage>;

/** The goal that the agent works towards on its own. */
export const activeGoalMessage = about(
  "X",
  "Sent when a goal set with `/goal` has been checked; null once it is reached or dropped.",
  object({
    type: literal("active_goal"),
    value: nullable(
      object({
        condition: string,
        iterations: defaulted(number, 0),
        set_at: defaulted(number, 0),
        tokens_at_start: defaulted(number, 0),
        last_reason: optional(string, "why it has not been reached yet"),
      }),
    ),
    ...trailer,
  }),
);

/** The goal that the agent works towards on its own. */
export type ActiveGoalMessage = Infer<typeof activeGoalMessage>;

/** A suggestion for what the user may want to say next. */
export const promptSuggestionMessage = about(
  "X",
  "Sent after the result, at most once per turn, when the host asked for suggestions.",
  object({ type: literal("prompt_suggestion"), suggestion: string, ...trailer }),
);

/** A suggestion for what the user may want to say next. */
export type PromptSuggestionMessage = Infer<typeof promptSuggestionMessage>;
