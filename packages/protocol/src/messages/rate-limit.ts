import { about } from "../schema/about.ts";
import { object, optional } from "../schema/object.ts";
import { boolean, literal, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

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
  limitScope: optional(
    oneOf("service", "channel", "group_pool"),
    "whose limit it is, where not the user's own",
  ),
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
