import { slashCommand } from "../catalog/catalog.ts";
import { PERMISSION_MODES } from "../permission/mode.ts";
import { array, record } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, jsonObject, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { system, trailer } from "./common.ts";

/** Whether the session is working, waiting for the host, or idle. */
export const sessionStateMessage = about(
  "R",
  "Sent at each state change to hosts that ask for it; `idle` follows the result and means that all work is done.",
  system("session_state_changed", {
    state: oneOf("idle", "running", "requires_action"),
    sdk_host_only: optional(boolean, "meant for the host itself, not for its user"),
  }),
);

/** Whether the session is working, waiting for the host, or idle. */
export type SessionStateMessage = Infer<typeof sessionStateMessage>;

/** What the agent is doing, and changes of the permission mode. */
export const statusMessage = about(
  "R",
  "Sent when a model call or a compaction begins or ends, and when the permission mode changes.",
  system("status", {
    status: defaulted(nullable(oneOf("compacting", "requesting")), null),
    permissionMode: optional(oneOf(...PERMISSION_MODES)),
    compact_result: optional(oneOf("success", "failed")),
    compact_error: optional(string),
  }),
);

/** What the agent is doing, and changes of the permission mode. */
export type StatusMessage = Infer<typeof statusMessage>;

/** New values for the agent's environment variables. */
export const environmentMessage = about(
  "X",
  "Sent to hand over fresh tokens; an agent applies only the variables it allows.",
  object({
    type: literal("update_environment_variables"),
    variables: record(string),
    request_id: optional(string, "asks for a `control_response` with the names that were applied"),
  }),
);

/** New values for the agent's environment variables. */
export type EnvironmentMessage = Infer<typeof environmentMessage>;

/** The slash commands that are available from now on. */
export const commandsChangedMessage = about(
  "X",
  "Sent when slash commands are added or removed during a session; it replaces the previous list.",
  system("commands_changed", { commands: array(slashCommand) }),
);

/** The slash commands that are available from now on. */
export type CommandsChangedMessage = Infer<typeof commandsChangedMessage>;

/** The conversation starts over, under a new session id. */
export const conversationResetMessage = about(
  "R",
  "Sent when `/clear` or leaving plan mode has discarded the conversation.",
  object({
    type: literal("conversation_reset"),
    new_conversation_id: string,
    trigger: optional(oneOf("clear", "plan_mode_exit", "fresh_session", "onboarding")),
    user_message_uuid: optional(string, "the prompt that was `/clear`"),
    timestamp: optional(string, "for display only"),
    ...trailer,
  }),
);

/** The conversation starts over, under a new session id. */
export type ConversationResetMessage = Infer<typeof conversationResetMessage>;

/** The place in a conversation where a summary replaced everything before it. */
export const compactBoundaryMessage = about(
  "R",
  "Sent when a compaction is done.",
  system("compact_boundary", {
    compact_metadata: object({
      trigger: defaulted(oneOf("manual", "auto"), ""),
      pre_tokens: defaulted(number, 0),
      post_tokens: optional(number),
      duration_ms: optional(number),
      preserved_segment: optional(
        object({ head_uuid: string, anchor_uuid: string, tail_uuid: string }),
        "the range of messages that were kept",
      ),
      preserved_messages: optional(
        object({ anchor_uuid: string, uuids: array(string) }),
        "the same, listed one by one; takes precedence over `preserved_segment`",
      ),
    }),
  }),
);

/** The place in a conversation where a summary replaced everything before it. */
export type CompactBoundaryMessage = Infer<typeof compactBoundaryMessage>;

/** Part of a session could not be saved. */
export const writesLostMessage = about(
  "X",
  "Sent at most once, at the end, when the disk had no room for the transcript or the configuration.",
  system("session_writes_lost", {
    error_code: oneOf("ENOSPC", "EDQUOT"),
    lost: defaulted(array(oneOf("transcript", "global_config")), []),
    transcript_session_ids: optional(array(string), "the sessions whose transcripts have a gap"),
  }),
);

/** Part of a session could not be saved. */
export type WritesLostMessage = Infer<typeof writesLostMessage>;

/** The agent shuts down on purpose. */
export const shuttingDownMessage = about(
  "X",
  "Sent before an orderly shutdown that has a reason; its absence means nothing.",
  system("worker_shutting_down", { reason: defaulted(string, "") }),
);

/** The agent shuts down on purpose. */
export type ShuttingDownMessage = Infer<typeof shuttingDownMessage>;

/** Transcript entries for a host that stores them elsewhere. */
export const transcriptMirrorMessage = about(
  "R",
  "Sent after each write to a transcript, if the host asked for a mirror; not meant for the host's user.",
  object({ type: literal("transcript_mirror"), filePath: string, entries: array(jsonObject) }),
);

/** Transcript entries for a host that stores them elsewhere. */
export type TranscriptMirrorMessage = Infer<typeof transcriptMirrorMessage>;

/** A sign of life from either side. */
export const keepAliveMessage = about(
  "X",
  "A keep-alive, so that a quiet connection is not taken for a dead one; never answered.",
  object({
    type: literal("keep_alive"),
    startup_mark: optional(string, "a point in the agent's startup, for hosts that measure it"),
  }),
);

/** A sign of life from either side. */
export type KeepAliveMessage = Infer<typeof keepAliveMessage>;
