import { MAX_TIMER_MS } from "@agentwire/protocol/support";
import type { APIError } from "@anthropic-ai/sdk";
import { ModelError } from "./model.ts";

/** The HTTP status that an error would have had, had it not come in the middle of a stream. */
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** The status for an error type that a provider names inside a stream; a type we don't know is the provider's trouble. */
export function statusOfType(type: string): number {
  return STATUS_OF_TYPE.get(type) ?? 500;
}

/** Puts an error of the Anthropic client into our terms. */
export function toModelError(error: APIError): ModelError {
  const requestId = error.requestID ?? undefined;
  if (error.status !== undefined) {
    const message = error.apiMessage ?? error.message;
    const retryAfterMs = readRetryAfter(error.headers, Date.now());
    return new ModelError(error.status, error.type ?? "unknown_error", message, {
      cause: error,
      requestId,
      retryAfterMs,
      isFinal: error.headers?.get("x-should-retry") === "false",
    });
  }
  // Only an error inside a stream has a body without a status.
  if (error.error !== undefined) {
    const type = error.type ?? "api_error";
    return new ModelError(statusOfType(type), type, error.apiMessage ?? error.message, {
      cause: error,
      requestId,
    });
  }
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return new ModelError(null, "connection_error", `could not reach the model${reason}`, { cause: error });
}

/** How long a provider asks to wait, in any of the three ways to say it; undefined if it does not, or makes no sense. */
export function readRetryAfter(headers: Pick<Headers, "get"> | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return Math.min(milliseconds, MAX_TIMER_MS);
  const text = headers?.get("retry-after")?.trim();
  if (!text) return undefined;
  // A date of HTTP ends in GMT; without that, Date.parse makes a year out of any number.
  const wait = text.endsWith("GMT") ? Date.parse(text) - now : Number(text) * 1000;
  return wait >= 0 ? Math.min(wait, MAX_TIMER_MS) : undefined;
}
