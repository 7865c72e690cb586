import { hookInput } from "../../hooks/events.ts";
import { hookOutput } from "../../hooks/output.ts";
import { about } from "../../schema/about.ts";
import { object, optional, required } from "../../schema/object.ts";
import { literal, string } from "../../schema/scalar.ts";

/** The call of one hook that the host registered. */
export const hookCallback = {
  request: about(
    "E",
    "Runs a hook of the host; all hooks of an event are asked at the same time.",
    object({
      subtype: literal("hook_callback"),
      callback_id: required(string, "one of the `hookCallbackIds` of initialize"),
      input: hookInput,
      tool_use_id: optional(string),
    }),
  ),
  response: hookOutput,
};
