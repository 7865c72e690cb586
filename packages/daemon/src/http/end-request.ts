import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** Ends a request by force: of HTTP/1 that is the connection. */
export function endRequest(request: IncomingMessage | Http2ServerRequest): void {
  if ("stream" in request) request.stream.destroy();
  else request.socket.destroy();
}
