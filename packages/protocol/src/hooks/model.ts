import { defaulted, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

const modelSwitch = {
  from_model: defaulted(string, ""),
  to_model: string,
  requested_model: defaulted(nullable(string), null, "null: the session's own"),
  source: oneOf("command", "picker", "sdk", "auto", "resume"),
  context_tokens: defaulted(number, 0),
  prompt_cache_warm: defaulted(boolean, false),
  cache_ttl: defaulted(oneOf("5m", "1h"), "5m"),
  estimated_cache_write_usd: defaulted(number, 0),
  pricing: defaulted(oneOf("configured", "catalog", "default"), "default"),
};

/** Events around a change of model. */
export const modelHooks = {
  PreModelSwitch: {
    matcher: "to_model",
    input: about(
      "X",
      "Before the session changes its model: the hook may prevent it.",
      inputOf("PreModelSwitch", modelSwitch),
    ),
    output: outputOf("PreModelSwitch", {
      permissionDecision: optional(literal("allow", "deny", "ask")),
      permissionDecisionReason: optional(string),
    }),
  },
  PostModelSwitch: {
    matcher: "to_model",
    input: about(
      "X",
      "After the session has changed its model, requested or not.",
      inputOf("PostModelSwitch", modelSwitch),
    ),
    output: outputOf("PostModelSwitch", addedContext),
  },
};
