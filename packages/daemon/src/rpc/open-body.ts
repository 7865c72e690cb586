import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { createContextKey } from "@connectrpc/connect";

/** Writes an envelope; a promise until the client has room for more, or has gone. */
export type OpenBody = (envelope: Buffer) => Promise<void> | undefined;

/** Where a handler finds the body of the response that Connect has begun with its first message, and ends when it returns. */
export const BODY = createContextKey<OpenBody>(() => undefined, { description: "the body of the response" });

/**
 * The body of a response. Connect has the call: what is asked, headers, the first message, errors, the deadline and the end. A handler
 * that continues here spares each message the chain of generators in between, which costs more than all else that is done for an event.
 */
export const openBody =
  (response: ServerResponse | Http2ServerResponse): OpenBody =>
  (envelope) => {
    if (response.destroyed) return undefined;
    // HTTP/1 and HTTP/2 declare the same method in two ways.
    const hasRoom = (response as ServerResponse).write(envelope);
    return hasRoom || response.destroyed ? undefined : room(response);
  };

/** Resolves when the client has read what it was sent, or has gone. */
function room(response: ServerResponse | Http2ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
  });
}
