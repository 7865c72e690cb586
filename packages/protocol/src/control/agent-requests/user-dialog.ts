import { about } from "../../schema/about.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { anything, jsonObject, literal, string } from "../../schema/scalar.ts";
import { either } from "../../schema/union.ts";

/** A dialog of the agent's own that the host shows. */
export const userDialog = {
  request: about(
    "X",
    "Asks for a dialog, only of a kind that the host named in initialize; others are left without an answer.",
    object({
      subtype: literal("request_user_dialog"),
      dialog_kind: string,
      payload: defaulted(jsonObject, {}),
      tool_use_id: optional(string),
    }),
  ),
  response: either(
    object({ behavior: literal("completed"), result: optional(anything) }),
    object({ behavior: literal("cancelled") }),
  ),
};
