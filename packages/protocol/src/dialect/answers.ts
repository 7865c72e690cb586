import type { JsonObject } from "../json.ts";

/** A canonical success answer. */
export function success(requestId: string, response: JsonObject): JsonObject {
  return { type: "control_response", response: { subtype: "success", request_id: requestId, response } };
}

/** A canonical success answer, if a request waits for it. */
export function succeeded(requestId: string | undefined, response: JsonObject): JsonObject | undefined {
  return requestId === undefined ? undefined : success(requestId, response);
}

/** A canonical error answer, if a request waits for it. */
export function failed(
  requestId: string | undefined,
  error: string,
  errorCode = "unsupported_request",
): JsonObject | undefined {
  if (requestId === undefined) return undefined;
  return {
    type: "control_response",
    response: { subtype: "error", request_id: requestId, error, error_code: errorCode },
  };
}

/** The content of a status message, without its tags. */
export function statusOf(message: JsonObject): JsonObject {
  const { type: _type, subtype: _subtype, ...status } = message;
  return status;
}
