import { Code } from "@connectrpc/connect";
import type { Handler } from "./front.ts";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 408 | 415 | 429;
  readonly reason: string;
  /** After how many seconds it may be tried again. */
  readonly retryAfter?: number;
}

const CODES: Readonly<Record<Refusal["status"], readonly [name: string, code: Code]>> = {
  401: ["unauthenticated", Code.Unauthenticated],
  403: ["permission_denied", Code.PermissionDenied],
  404: ["unimplemented", Code.Unimplemented],
  408: ["deadline_exceeded", Code.DeadlineExceeded],
  415: ["invalid_argument", Code.InvalidArgument],
  429: ["resource_exhausted", Code.ResourceExhausted],
};

/** Tells a client why it gets no answer, in a way that its protocol has a place for. */
export function refuse(
  request: Parameters<Handler>[0],
  response: Parameters<Handler>[1],
  { status, reason, retryAfter }: Refusal,
): void {
  const [name, code] = CODES[status];
  const wait = retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) };
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/grpc")) {
    response.writeHead(200, {
      ...wait,
      "content-type": type.startsWith("application/grpc-web")
        ? "application/grpc-web+proto"
        : "application/grpc",
      "grpc-status": String(code),
      "grpc-message": encodeURIComponent(reason),
    });
    response.end();
    return;
  }
  response.writeHead(status, {
    ...wait,
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
  });
  response.end(`${JSON.stringify({ code: name, message: reason })}\n`);
}
