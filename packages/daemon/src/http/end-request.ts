import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** Ends a request by force: of HTTP/1 that is the connection. */
export function endRequest(request: IncomingMessage | Http2ServerRequest): void {
  if ("stream" in request) request.stream.destroy();
  else request.socket.destroy();
}

/**
 * Lets a client that is answered before it has said everything get rid of the rest: one that can't would not come to read its
 * answer. How long it may take is limited elsewhere.
 */
export function drainOnceAnswered(request: IncomingMessage | Http2ServerRequest): void {
  // HTTP/1 does that by itself.
  if (!("stream" in request)) return;
  const { stream } = request;
  // A request that is no longer read blocks its stream.
  stream.once("finish", () => stream.removeAllListeners("data").resume());
}
