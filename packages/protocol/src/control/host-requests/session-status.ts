import { about } from "../../schema/about.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, jsonObject, literal, number, string } from "../../schema/scalar.ts";

/** What other dialects ask and the official wire has no request for. */
export const sessionStatusRequests = {
  session_status: {
    request: about(
      "X",
      "Our own: asks how the session stands, for the dialects whose hosts can ask that (miriad, jsonrpc and dart).",
      object({ subtype: literal("session_status") }),
    ),
    response: object({
      running: defaulted(boolean, false),
      session_id: defaulted(string, ""),
      queued_messages: defaulted(number, 0),
      init: optional(jsonObject, "the `system/init` message that a turn would open with now"),
    }),
  },
};
