import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** Ends a request forcibly; with HTTP/1 this closes the connection. */
export function endRequest(request: IncomingMessage | Http2ServerRequest): void {
  if ("stream" in request) request.stream.destroy();
  else request.socket.destroy();
}

/**
 * Discards the rest of a request that is answered before it was read completely: a client that can't finish sending would not
 * read the answer. A deadline elsewhere limits how long this may take.
 */
export function drainOnceAnswered(request: IncomingMessage | Http2ServerRequest): void {
  // HTTP/1 does this by itself.
  if (!("stream" in request)) return;
  const { stream } = request;
  // A request that is no longer read blocks its stream.
  stream.once("finish", () => stream.removeAllListeners("data").resume());
}
