import { randomUUID } from "node:crypto";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Notice } from "../host/outlet.ts";
import type { Conversation } from "./conversation.ts";

/** A hook for the end of a turn failed, which changes nothing, or objects. */
export function stopHookFailed(): Notice {
  return {
    type: "system",
    subtype: "notification",
    key: "stop-hook-error",
    text: "A hook for the end of the turn failed or objected.",
    priority: "immediate",
  };
}

/** A reply was stopped by the model's safeguards; the turn continues once more. */
export const RETRY_AFTER_REFUSAL: Notice = {
  type: "system",
  subtype: "informational",
  content: "The model's safeguards stopped this reply; the model is told so and gets one more try.",
  level: "notice",
};

/** A model was stopped by its safeguards, and no other one stands in for it. */
export function noFallback(original_model: string): Notice {
  return {
    type: "system",
    subtype: "model_refusal_no_fallback",
    original_model,
    request_id: null,
    content: "",
  };
}

/**
 * Tells the MessageDisplay hooks of text that is about to go out. Nobody waits for them: what they would show in its place is for
 * whoever has a screen.
 */
export function tellDisplay(
  { services: { hooks }, turnId, agent }: Conversation,
  blocks: readonly ContentBlock[],
  signal: AbortSignal,
): void {
  if (agent || !hooks.listens("MessageDisplay")) return;
  for (const block of blocks) {
    if (block.type !== "text") continue;
    const id = randomUUID();
    const facts = { turn_id: turnId, message_id: id, index: 0, final: true, delta: block.text };
    void hooks.run("MessageDisplay", facts, { signal, toolUseId: `${id}-0` });
  }
}
