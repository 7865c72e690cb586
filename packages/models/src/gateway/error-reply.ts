import type { ServerResponse } from "node:http";
import type { JsonObject } from "@agentwire/protocol";
import { MISSING_CREDENTIALS, ModelError } from "../model-error.ts";

/** An error caused by the client's request. */
export const requestError = (status: number, type: string, message: string): ModelError =>
  new ModelError(status, type, message, { isFinal: true });

/** The types of errors that clients of the Messages API know. */
const OFFICIAL = /_error$|^request_too_large$/;

/** The body of an error in the Messages API, alone or in a stream. */
export function errorBody(error: unknown, requestId: string): JsonObject {
  const { type, message } = asModelError(error);
  return { type: "error", error: { type, message }, request_id: requestId };
}

/** The HTTP status of an error. */
export const statusOf = (error: unknown): number => asModelError(error).status ?? 502;

/** Reports unexpected errors as gateway failures, without internal details. */
function asModelError(error: unknown): ModelError {
  if (!(error instanceof ModelError)) return new ModelError(500, "api_error", "internal gateway error");
  if (error.type === MISSING_CREDENTIALS)
    return new ModelError(401, "authentication_error", error.message, { isFinal: true });
  const type = OFFICIAL.test(error.type) && error.type !== "connection_error" ? error.type : "api_error";
  const { status, message, retryAfterMs, isFinal } = error;
  return new ModelError(status, type, message, { retryAfterMs, isFinal });
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Answers with an error: as a response with its status, or as a stream event if the reply has started. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.writableEnded) return;
  const body = errorBody(error, String(response.getHeader("request-id") ?? ""));
  if (response.headersSent) {
    response.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
    return;
  }
  const { retryAfterMs, isFinal } = asModelError(error);
  if (retryAfterMs !== undefined) response.setHeader("retry-after", Math.ceil(retryAfterMs / 1000));
  if (isFinal) response.setHeader("x-should-retry", "false");
  // The rest of a rejected body is not read.
  if (!response.req.complete) response.setHeader("connection", "close");
  sendJson(response, statusOf(error), body);
}
