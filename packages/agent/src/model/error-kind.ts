import { MISSING_CREDENTIALS, type ModelError } from "@agentwire/models";
import type { AssistantError } from "@agentwire/protocol/messages";

const KIND_OF_STATUS: ReadonlyMap<number, AssistantError> = new Map([
  [400, "invalid_request"],
  [401, "authentication_failed"],
  [402, "billing_error"],
  [403, "authentication_failed"],
  [404, "model_not_found"],
  [413, "invalid_request"],
  [422, "unknown"],
  [429, "rate_limit"],
  [529, "overloaded"],
]);

/** The kind of a failed call, as reported in `api_retry`. */
export function errorKind(error: ModelError): AssistantError {
  const { status, type } = error;
  if (type === MISSING_CREDENTIALS) return "authentication_failed";
  if (type === "billing_error" || isOutOfCredit(error)) return "billing_error";
  if (status === null) return "unknown";
  return KIND_OF_STATUS.get(status) ?? (status >= 408 ? "server_error" : "unknown");
}

/**
 * The kind of a call that was given up, as reported in the assistant line, where an overloaded or unreachable provider is a
 * `server_error`.
 */
export function finalErrorKind(error: ModelError): AssistantError {
  const kind = errorKind(error);
  return kind === "overloaded" || (kind === "unknown" && error.status === null) ? "server_error" : kind;
}

/** Whether the same call may succeed later. */
export function isRetryable({ status, type, isFinal }: ModelError): boolean {
  if (isFinal) return false;
  if (status === null) return type !== MISSING_CREDENTIALS;
  return [401, 408, 409, 429].includes(status) || status >= 500;
}

/** Whether the conversation no longer fits into the model's context window. */
export function isPromptTooLong({ status, message }: ModelError): boolean {
  return (status === 400 || status === 413) && /prompt is too long/i.test(message);
}

/** Whether an image, or all files of the conversation together, exceed the provider's limit. */
export function isMediaTooLarge(error: ModelError): boolean {
  if (isPromptTooLong(error)) return false;
  return error.status === 413 || (error.status === 400 && /image.*exceeds/i.test(error.message));
}

const isOutOfCredit = ({ status, message }: ModelError) =>
  status === 400 && /credit balance is too low/i.test(message);

/** Whether the official agent repeats such a call once, without reporting it to the host, before it accepts the error. */
export function isRepeatedOnce(error: ModelError): boolean {
  if (error.status === 404) return true;
  if (error.status !== 400 && error.status !== 422) return false;
  return !isPromptTooLong(error) && !isMediaTooLarge(error) && !isOutOfCredit(error);
}
