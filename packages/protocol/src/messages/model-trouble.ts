import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { assistantError } from "./assistant.ts";
import { system, trailer } from "./common.ts";

/** How often a model call was tried, and when it is retried. */
export const retryCounters = {
  attempt: defaulted(number, 0),
  max_retries: defaulted(number, 0),
  retry_delay_ms: defaulted(number, 0),
};

/** A model call failed and will be retried. */
export const apiRetryMessage = about(
  "R",
  "Sent before each retry of a model call.",
  system("api_retry", {
    ...retryCounters,
    error_status: defaulted(nullable(number), null, "HTTP status; null when the connection was lost"),
    error: defaulted(assistantError, "unknown"),
    no_response: optional(
      object({ waited_ms: number, retry_wait_ms: number }),
      "if the reply did not start in time",
    ),
  }),
);

/** A model call failed and will be retried. */
export type ApiRetryMessage = Infer<typeof apiRetryMessage>;

/** The progress of a long control request of the host. */
export const controlProgressMessage = about(
  "X",
  "Sent while a side question is being answered.",
  system("control_request_progress", {
    request_id: string,
    status: oneOf("started", "api_retry"),
    attempt: optional(number),
    max_retries: optional(number),
    retry_delay_ms: optional(number),
    error_status: optional(nullable(number)),
  }),
);

/** The progress of a long control request of the host. */
export type ControlProgressMessage = Infer<typeof controlProgressMessage>;

const limitStatus = oneOf("allowed", "allowed_warning", "rejected");

const rateLimitInfo = object({
  status: limitStatus,
  resetsAt: optional(number, "seconds since 1970"),
  rateLimitType: optional(
    oneOf(
      "five_hour",
      "seven_day",
      "seven_day_opus",
      "seven_day_sonnet",
      "seven_day_overage_included",
      "overage",
    ),
  ),
  utilization: optional(number),
  surpassedThreshold: optional(number),
  overageStatus: optional(limitStatus),
  overageResetsAt: optional(number),
  overageDisabledReason: optional(string),
  overageEnabled: optional(boolean),
  overageInUse: optional(boolean),
  isUsingOverage: optional(boolean),
  limitScope: optional(oneOf("service", "channel", "group_pool"), "whose limit it is, if not the user's"),
  errorCode: optional(oneOf("credits_required")),
  canUserPurchaseCredits: optional(boolean),
  hasChargeableSavedPaymentMethod: optional(boolean),
});

/** How much of a plan's allowance is left. */
export type RateLimitInfo = Infer<typeof rateLimitInfo>;

/** The allowance of the user's plan has changed. */
export const rateLimitMessage = about(
  "X",
  "Sent when the limits of the user's plan change; never with an API key.",
  object({ type: literal("rate_limit_event"), rate_limit_info: rateLimitInfo, ...trailer }),
);

/** The allowance of the user's plan has changed. */
export type RateLimitMessage = Infer<typeof rateLimitMessage>;

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
  "Sent when a refused model call has been repeated with the fallback model.",
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
