import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { parentToolUse, system, trailer } from "./common.ts";
import { retryCounters } from "./model-trouble.ts";

/** The state of a prompt. */
export const commandLifecycleMessage = about(
  "X",
  "Sent for prompts with a `uuid`: the reliable way to follow one through the queue.",
  object({
    type: literal("command_lifecycle"),
    command_uuid: string,
    state: oneOf("queued", "started", "completed", "cancelled", "discarded", "refused"),
    ...trailer,
  }),
);

/** The state of a prompt. */
export type CommandLifecycleMessage = Infer<typeof commandLifecycleMessage>;

/** An estimate of how much the model has been thinking. */
export const thinkingTokensMessage = about(
  "X",
  "Sent while the model thinks, even when the thinking itself is not shown.",
  system("thinking_tokens", {
    estimated_tokens: defaulted(number, 0, "for the current block so far"),
    estimated_tokens_delta: defaulted(number, 0, "since the last such message"),
    user_message_uuid: optional(string),
  }),
);

/** An estimate of how much the model has been thinking. */
export type ThinkingTokensMessage = Infer<typeof thinkingTokensMessage>;

/** A sign of life from a long tool call. */
export const toolProgressMessage = about(
  "X",
  "Sent periodically during a long tool call.",
  object({
    type: literal("tool_progress"),
    tool_use_id: string,
    tool_name: defaulted(string, ""),
    ...parentToolUse,
    elapsed_time_seconds: defaulted(number, 0),
    task_id: optional(string),
    output: optional(
      string,
      "our addition, for hosts that ask for it: the call's output since the last such message",
    ),
    output_cut: optional(boolean, "our addition: earlier output was omitted"),
    heartbeat: optional(boolean),
    subagent_type: optional(string),
    subagent_retry: optional(
      object({
        agent_id: string,
        ...retryCounters,
        error_status: defaulted(nullable(number), null),
        error_category: defaulted(string, ""),
      }),
      "the subagent waits before calling its model again",
    ),
    ...trailer,
  }),
);

/** A sign of life from a long tool call. */
export type ToolProgressMessage = Infer<typeof toolProgressMessage>;

/** A short summary of several tool calls. */
export const toolUseSummaryMessage = about(
  "X",
  "Sent after several tool calls, for hosts that collapse them into one line.",
  object({
    type: literal("tool_use_summary"),
    summary: string,
    preceding_tool_use_ids: defaulted(array(string), []),
    ...trailer,
  }),
);

/** A short summary of several tool calls. */
export type ToolUseSummaryMessage = Infer<typeof toolUseSummaryMessage>;
