import { ModelError, readRetryAfter } from "@agentwire/models";
import { isJsonObject } from "@agentwire/protocol";
import { parseJsonObject } from "@agentwire/protocol/support";
import type { APIError } from "@anthropic-ai/sdk";

/** The HTTP status that an error would have had outside of a stream. */
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
  // Bedrock's names.
  ["validationException", 400],
  ["throttlingException", 429],
  ["serviceUnavailableException", 503],
]);

/** The status for an error type reported inside a stream; an unknown type counts as the provider's failure. */
export function statusOfType(type: string): number {
  return STATUS_OF_TYPE.get(type) ?? 500;
}

/** Converts an error of the Anthropic client. */
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

/** A failure that a server reports inside a stream. */
export function failureInStream(data: string, requestId: string | null): ModelError {
  const body = parseJsonObject(data)?.error;
  const error = isJsonObject(body) ? body : {};
  const type = typeof error.type === "string" ? error.type : "api_error";
  const message = typeof error.message === "string" ? error.message : data;
  return new ModelError(statusOfType(type), type, message, { requestId: requestId ?? undefined });
}
