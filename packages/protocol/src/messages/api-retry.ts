import { about } from "../schema/about.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { nullable, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { assistantError } from "./assistant.ts";
import { system } from "./system-shape.ts";

/** How often a model call was tried, and when it is tried again. */
export const retryCounters = {
  attempt: defaulted(number, 0),
  max_retries: defaulted(number, 0),
  retry_delay_ms: defaulted(number, 0),
};

/** A model call failed and will be made again. */
export const apiRetryMessage = about(
  "R",
  "Sent before each wait between two tries of a model call.",
  system("api_retry", {
    ...retryCounters,
    error_status: defaulted(nullable(number), null, "HTTP status; null when the connection was lost"),
    error: defaulted(assistantError, "unknown"),
    no_response: optional(
      object({ waited_ms: number, retry_wait_ms: number }),
      "where the answer did not even begin in time",
    ),
  }),
);

/** A model call failed and will be made again. */
export type ApiRetryMessage = Infer<typeof apiRetryMessage>;

/** How a long control request of the host gets on. */
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

/** How a long control request of the host gets on. */
export type ControlProgressMessage = Infer<typeof controlProgressMessage>;
