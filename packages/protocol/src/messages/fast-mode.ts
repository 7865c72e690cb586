import { optional } from "../schema/object.ts";
import { oneOf } from "../schema/scalar.ts";

/** Whether the session runs on the faster, dearer service, and if not, why. */
export const fastMode = {
  fast_mode_state: optional(oneOf("off", "cooldown", "on")),
  fast_mode_disabled_reason: optional(
    oneOf(
      "free",
      "preference",
      "extra_usage_disabled",
      "network_error",
      "unknown",
      "not_first_party",
      "disabled_by_env",
      "model_not_allowed",
      "sdk_opt_in_required",
      "pending",
    ),
  ),
};
