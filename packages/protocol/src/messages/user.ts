import { messageContent } from "../content/content.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { anything, boolean, literal, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { parentToolUse, subagent } from "./common.ts";
import { messageOrigin } from "./prompt.ts";

const toolResultMeta = object({
  id: string,
  non_execution_kind: optional(string, "why the tool did not run"),
  remedy: optional(
    object({ kind: string }),
    "the kind of obstacle; sandbox_violation for a denial by the sandbox",
  ),
  permission_decision: optional(
    object({
      decision: oneOf("accept", "reject"),
      source: optional(string),
      reason_type: optional(string),
    }),
  ),
});

/** How one tool call of the message was decided. */
export type ToolResultMeta = Infer<typeof toolResultMeta>;

/** What the agent adds to the conversation on the user's side. */
export const userMessage = about(
  "E",
  "Sent for tool results, for text that the agent inserts, and to echo a prompt.",
  object({
    type: literal("user"),
    message: object({ role: defaulted(literal("user"), "user"), content: messageContent }),
    ...parentToolUse,
    tool_use_result: optional(anything, "the tool's output as data; its shape depends on the tool"),
    tool_result_meta: optional(array(toolResultMeta)),
    isSynthetic: optional(boolean, "written by the agent, not by a person"),
    isReplay: optional(boolean, "echo of a prompt that the host sent"),
    file_attachments: optional(array(anything)),
    origin: optional(messageOrigin),
    timestamp: optional(string, "for display only"),
    ...subagent,
    uuid: optional(string),
    session_id: optional(string),
  }),
);

/** What the agent adds to the conversation on the user's side. */
export type UserMessage = Infer<typeof userMessage>;
