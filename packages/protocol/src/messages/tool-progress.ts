import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { retryCounters } from "./api-retry.ts";
import { parentToolUse, trailer } from "./trailer.ts";

/** A sign that a long tool call is alive. */
export const toolProgressMessage = about(
  "X",
  "Sent now and then while a tool takes long.",
  object({
    type: literal("tool_progress"),
    tool_use_id: string,
    tool_name: defaulted(string, ""),
    ...parentToolUse,
    elapsed_time_seconds: defaulted(number, 0),
    task_id: optional(string),
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
