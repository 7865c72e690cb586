import { randomUUID } from "node:crypto";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Notice } from "../host/outlet.ts";
import type { Conversation } from "./conversation.ts";

/** Reports that a hook for the end of a turn failed, which has no effect, or objected. */
export function stopHookFailed(): Notice {
  return {
    type: "system",
    subtype: "notification",
    key: "stop-hook-error",
    text: "A hook for the end of the turn failed or objected.",
    priority: "immediate",
  };
}

/** The model's safeguards stopped a reply; the turn is continued once. */
export const RETRY_AFTER_REFUSAL: Notice = {
  type: "system",
  subtype: "informational",
  content: "The model's safeguards stopped this reply; the model is told so and gets one more try.",
  level: "notice",
};

/** A model's safeguards stopped a reply, and there is no fallback model. */
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
 * Runs the MessageDisplay hooks for text that is about to be sent. Nothing waits for them: text that they would display instead
 * only matters to programs with a screen.
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
