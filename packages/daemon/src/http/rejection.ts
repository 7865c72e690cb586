import { Code } from "@connectrpc/connect";
import type { Handler } from "./front.ts";
import { grpcMessage } from "./grpc-message.ts";

/** Why a request is rejected. */
export interface Rejection {
  readonly status: 400 | 401 | 403 | 404 | 405 | 415 | 429 | 500 | 505;
  readonly reason: string;
  /** How many seconds to wait before trying again. */
  readonly retryAfter?: number;
}

const CODES: Readonly<Record<Rejection["status"], readonly [name: string, code: Code]>> = {
  400: ["invalid_argument", Code.InvalidArgument],
  401: ["unauthenticated", Code.Unauthenticated],
  403: ["permission_denied", Code.PermissionDenied],
  404: ["unimplemented", Code.Unimplemented],
  405: ["unimplemented", Code.Unimplemented],
  415: ["invalid_argument", Code.InvalidArgument],
  429: ["resource_exhausted", Code.ResourceExhausted],
  500: ["internal", Code.Internal],
  505: ["unimplemented", Code.Unimplemented],
};

/** Rejects a request in the form that the client's protocol expects. */
export function reject(
  request: Parameters<Handler>[0],
  response: Parameters<Handler>[1],
  { status, reason, retryAfter }: Rejection,
): void {
  const [name, code] = CODES[status];
  const type = request.headers["content-type"] ?? "";
  const isGrpc = type.startsWith("application/grpc");
  if (retryAfter !== undefined) response.setHeader("retry-after", String(Math.ceil(retryAfter)));
  // A trailers-only response: gRPC accepts a status among the headers only if they end the stream.
  if (isGrpc) {
    response.statusCode = 200;
    const isWeb = type.startsWith("application/grpc-web");
    response.setHeader("content-type", isWeb ? "application/grpc-web+proto" : "application/grpc");
    response.setHeader("grpc-status", String(code));
    response.setHeader("grpc-message", grpcMessage(reason));
    response.end();
  } else {
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    response.setHeader("x-content-type-options", "nosniff");
    if (status === 405) response.setHeader("allow", "POST");
    // Otherwise a client that keeps its request open would wait forever.
    if (status === 505) response.setHeader("connection", "close");
    response.end(`${JSON.stringify({ code: name, message: reason })}\n`);
  }
}
