import type { Notice } from "../host/outlet.ts";

/** A hook for the end of a turn failed, which changes nothing, or objects. */
export function stopHookFailed(): Notice {
  return {
    type: "system",
    subtype: "notification",
    key: "stop-hook-error",
    text: "A hook for the end of the turn failed or objects.",
    priority: "immediate",
  };
}

/** A reply was stopped by the model's safeguards; the turn goes on once more. */
export const RETRY_AFTER_REFUSAL: Notice = {
  type: "system",
  subtype: "informational",
  content: "The model's safeguards stopped this reply; it is told so and continues once.",
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
