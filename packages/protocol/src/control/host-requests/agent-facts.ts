import { about } from "../../schema/about.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { literal, string } from "../../schema/scalar.ts";
import { modelInfo } from "../catalog.ts";

/** Requests that ask what the agent is and which models it offers. */
export const agentFactsRequests = {
  list_models: {
    request: about(
      "X",
      "Asks which models the session can switch to.",
      object({ subtype: literal("list_models") }),
    ),
    response: object({ models: defaulted(array(modelInfo), []) }),
  },
  get_binary_version: {
    request: about("X", "Asks for the agent's version.", object({ subtype: literal("get_binary_version") })),
    response: object({ version: string, buildTime: optional(string) }),
  },
};
