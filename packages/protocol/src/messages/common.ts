import { array } from "../schema/collection.ts";
import { defaulted, type Fields, object, optional } from "../schema/object.ts";
import { literal, nullable, oneOf, string } from "../schema/scalar.ts";

const NOT_SENT = "empty if the agent's version does not send it";

/** The last fields of almost every message of an agent: the ids of the message and of its session. */
export const trailer = {
  uuid: defaulted(string, "", NOT_SENT),
  session_id: defaulted(string, "", NOT_SENT),
};

/** Whether a message belongs to the conversation itself or to the subagent that a tool call started. */
export const parentToolUse = {
  parent_tool_use_id: defaulted(nullable(string), null, "the tool call that started the subagent"),
};

/** Identifies a subagent; absent in the conversation itself. */
export const subagent = {
  agent_id: optional(string, "the task id of the subagent"),
  subagent_type: optional(string),
  task_description: optional(string),
};

/** Links a reply to the prompts it answers, if those had a `uuid`. */
export const answered = {
  user_message_uuid: optional(string, "the prompt that this answers"),
  user_message_uuids: optional(array(string), "all prompts that are part of the turn so far"),
  resume_reason: optional(string, "why the turn continues one that a restart interrupted"),
};

/** A `system` message of one subtype: its own fields between the tags and the trailer. */
export function system<const Subtype extends string, F extends Fields>(subtype: Subtype, fields: F) {
  return object({ type: literal("system"), subtype: literal(subtype), ...fields, ...trailer });
}

/** Whether the session uses the faster, more expensive service, and if not, why. */
export const fastMode = {
  fast_mode_state: optional(oneOf("off", "cooldown", "on")),
  fast_mode_disabled_reason: optional(
    oneOf(
      "free",
      "preference",
      "extra_usage_disabled",
      "network_error",
      "unknown",
      "not_first_party",
      "disabled_by_env",
      "model_not_allowed",
      "sdk_opt_in_required",
      "pending",
    ),
  ),
};
