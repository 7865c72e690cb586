import { defaulted, object } from "../schema/object.ts";
import { literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** What the model thought before it answered. */
export const thinkingBlock = object({
  type: literal("thinking"),
  thinking: string,
  signature: defaulted(string, "", "goes back to the model unchanged; empty when the agent does not sign"),
});

/** What the model thought before it answered. */
export type ThinkingBlock = Infer<typeof thinkingBlock>;

/** Thinking that the model provider keeps sealed. */
export const redactedThinkingBlock = object({ type: literal("redacted_thinking"), data: string });

/** Thinking that the model provider keeps sealed. */
export type RedactedThinkingBlock = Infer<typeof redactedThinkingBlock>;
