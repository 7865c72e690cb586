import { array } from "../schema/collection.ts";
import { defaulted, object, required } from "../schema/object.ts";
import { literal, nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { contentBlock } from "./content.ts";
import { NO_USAGE, usage } from "./usage.ts";

/** Why the model stopped. */
export const stopReason = oneOf(
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "compaction",
  "refusal",
  "model_context_window_exceeded",
);

/** Why the model stopped. */
export type StopReason = Infer<typeof stopReason>;

/** A reply of the model, in the shape of the Messages API. */
export const apiMessage = object({
  id: defaulted(string, "", "shared by all lines with a block of the same reply"),
  type: defaulted(literal("message"), "message"),
  role: defaulted(literal("assistant"), "assistant"),
  model: defaulted(string, "", "`<synthetic>` when the agent wrote the text itself"),
  content: required(array(contentBlock), "a single block on most lines"),
  stop_reason: defaulted(nullable(stopReason), null, "null until the reply is complete"),
  stop_sequence: defaulted(nullable(string), null),
  usage: defaulted(usage, NO_USAGE, "not final on a line with one of several blocks"),
});

/** A reply of the model, in the shape of the Messages API. */
export type ApiMessage = Infer<typeof apiMessage>;
