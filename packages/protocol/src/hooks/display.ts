import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { boolean, number, string } from "../schema/scalar.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

/** Events about what a person gets to see. */
export const displayHooks = {
  Notification: {
    matcher: "notification_type",
    input: about(
      "E",
      "When the agent wants somebody's attention.",
      inputOf("Notification", {
        message: string,
        title: optional(string),
        notification_type: defaulted(string, ""),
      }),
    ),
    output: outputOf("Notification", addedContext),
  },
  MessageDisplay: {
    input: about(
      "X",
      "For each piece of an assistant message before it is shown: only what is shown can be changed.",
      inputOf("MessageDisplay", {
        turn_id: defaulted(string, ""),
        message_id: defaulted(string, ""),
        index: defaulted(number, 0),
        final: defaulted(boolean, false),
        delta: string,
      }),
    ),
    output: outputOf("MessageDisplay", { displayContent: optional(string) }),
  },
};
