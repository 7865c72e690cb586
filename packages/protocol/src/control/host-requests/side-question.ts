import { about } from "../../schema/about.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, literal, nullable, string } from "../../schema/scalar.ts";

/** The request that asks the model something beside the conversation. */
export const sideQuestionRequests = {
  side_question: {
    request: about(
      "X",
      "Asks the model something beside the conversation, which does not hear of it; `control_request_progress` comes first.",
      object({
        subtype: literal("side_question"),
        question: string,
        history: optional(
          array(object({ question: string, response: string })),
          "earlier side questions, with what was answered",
        ),
      }),
    ),
    response: object({
      response: defaulted(nullable(string), null, "null where there is no answer"),
      synthetic: defaulted(boolean, false, "true where the agent wrote it, not the model"),
    }),
  },
};
