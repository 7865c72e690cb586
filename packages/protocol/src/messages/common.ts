import { array } from "../schema/collection.ts";
import { defaulted, type Fields, object, optional } from "../schema/object.ts";
import { literal, nullable, oneOf, string } from "../schema/scalar.ts";

const NOT_SENT = "empty when the agent's version does not send it";

/** Closes almost every message of an agent: the message's own id and its session's. */
export const trailer = {
  uuid: defaulted(string, "", NOT_SENT),
  session_id: defaulted(string, "", NOT_SENT),
};

/** Says whether a message belongs to the conversation itself or to the subagent that a tool call started. */
export const parentToolUse = {
  parent_tool_use_id: defaulted(nullable(string), null, "the tool call that started the subagent"),
};

/** Tells subagents apart; absent in the conversation itself. */
export const subagent = {
  agent_id: optional(string, "the task id of the subagent"),
  subagent_type: optional(string),
  task_description: optional(string),
};

/** Ties a reply to the prompts it answers, where those had a `uuid`. */
export const answered = {
  user_message_uuid: optional(string, "the prompt that this answers"),
  user_message_uuids: optional(array(string), "all prompts that went into the turn so far"),
  resume_reason: optional(string, "why the turn continues one that a restart cut off"),
};

/** A `system` message of one subtype: its own fields between the tags and the trailer. */
export function system<const Subtype extends string, F extends Fields>(subtype: Subtype, fields: F) {
  return object({ type: literal("system"), subtype: literal(subtype), ...fields, ...trailer });
}

/** Whether the session runs on the faster, dearer service, and if not, why. */
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
