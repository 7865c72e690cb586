import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { parentToolUse, system, trailer } from "./common.ts";
import { retryCounters } from "./model-trouble.ts";

/** What became of a prompt. */
export const commandLifecycleMessage = about(
  "X",
  "Sent for prompts that carry a `uuid`: the reliable way to follow one through the queue.",
  object({
    type: literal("command_lifecycle"),
    command_uuid: string,
    state: oneOf("queued", "started", "completed", "cancelled", "discarded", "refused"),
    ...trailer,
  }),
);

/** What became of a prompt. */
export type CommandLifecycleMessage = Infer<typeof commandLifecycleMessage>;

/** How much the model has been thinking, as an estimate. */
export const thinkingTokensMessage = about(
  "X",
  "Sent while the model thinks, even when the thinking itself is not shown.",
  system("thinking_tokens", {
    estimated_tokens: defaulted(number, 0, "of the current block so far"),
    estimated_tokens_delta: defaulted(number, 0, "since the last such message"),
    user_message_uuid: optional(string),
  }),
);

/** How much the model has been thinking, as an estimate. */
export type ThinkingTokensMessage = Infer<typeof thinkingTokensMessage>;

/** A sign that a long tool call is alive. */
export const toolProgressMessage = about(
  "X",
  "Sent periodically while a tool runs for long.",
  object({
    type: literal("tool_progress"),
    tool_use_id: string,
    tool_name: defaulted(string, ""),
    ...parentToolUse,
    elapsed_time_seconds: defaulted(number, 0),
    task_id: optional(string),
    output: optional(
      string,
      "our addition, for hosts that ask for it: what the call has printed since the last such message",
    ),
    output_cut: optional(boolean, "our addition: something before `output` was left out"),
    heartbeat: optional(boolean),
    subagent_type: optional(string),
    subagent_retry: optional(
      object({
        agent_id: string,
        ...retryCounters,
        error_status: defaulted(nullable(number), null),
        error_category: defaulted(string, ""),
      }),
      "the subagent waits before it calls its model again",
    ),
    ...trailer,
  }),
);

/** A sign that a long tool call is alive. */
export type ToolProgressMessage = Infer<typeof toolProgressMessage>;

/** A few words for a row of tool calls. */
export const toolUseSummaryMessage = about(
  "X",
  "Sent after several tool calls, for hosts that fold them into one line.",
  object({
    type: literal("tool_use_summary"),
    summary: string,
    preceding_tool_use_ids: defaulted(array(string), []),
    ...trailer,
  }),
);

/** A few words for a row of tool calls. */
export type ToolUseSummaryMessage = Infer<typeof toolUseSummaryMessage>;
