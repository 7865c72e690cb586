import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, optional } from "../schema/object.ts";
import { nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

const refusal = {
  original_model: defaulted(string, ""),
  request_id: defaulted(nullable(string), null),
  content: defaulted(string, "", "the notice for the user"),
  api_refusal_category: optional(nullable(string)),
  api_refusal_explanation: optional(nullable(string), "for display only"),
  refused_user_message_uuid: optional(nullable(string), "the prompt to edit and send again"),
};

/** The model refused, and another one answers in its place. */
export const refusalFallbackMessage = about(
  "X",
  "Sent when a refused model call was repeated with the fallback model.",
  system("model_refusal_fallback", {
    trigger: defaulted(oneOf("refusal"), "refusal"),
    direction: defaulted(oneOf("retry", "revert", "sticky"), "retry"),
    scope: optional(oneOf("session", "local"), "local: only this reply comes from the other model"),
    fallback_model: string,
    retracted_message_uuids: optional(array(string), "messages to remove"),
    ...refusal,
  }),
);

/** The model refused, and another one answers in its place. */
export type RefusalFallbackMessage = Infer<typeof refusalFallbackMessage>;

/** The model refused, and nothing is tried in its place. */
export const refusalMessage = about(
  "X",
  "Sent when a model call was refused and no fallback model takes over.",
  system("model_refusal_no_fallback", refusal),
);

/** The model refused, and nothing is tried in its place. */
export type RefusalMessage = Infer<typeof refusalMessage>;
