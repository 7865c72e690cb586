import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** How much the model has been thinking, as an estimate. */
export const thinkingTokensMessage = about(
  "X",
  "Sent while the model thinks, even when the thinking itself is not shown.",
  system("thinking_tokens", {
    estimated_tokens: defaulted(number, 0, "of the present block so far"),
    estimated_tokens_delta: defaulted(number, 0, "since the last such message"),
    user_message_uuid: optional(string),
  }),
);

/** How much the model has been thinking, as an estimate. */
export type ThinkingTokensMessage = Infer<typeof thinkingTokensMessage>;
