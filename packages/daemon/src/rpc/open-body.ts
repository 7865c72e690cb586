import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { createContextKey } from "@connectrpc/connect";

/** Writes an envelope; if the buffer is full, returns a promise that resolves once there is room or the client is gone. */
export type OpenBody = (envelope: Buffer) => Promise<void> | undefined;

/** The context key for the response body, which Connect begins with the first message and ends when the handler returns. */
export const BODY = createContextKey<OpenBody>(() => undefined, { description: "the body of the response" });

/**
 * Gives a handler direct access to the response body. Connect still handles the request, headers, the first message, errors, the deadline
 * and the end; writing further messages here bypasses its chain of generators, which costs more than everything else done for an event.
 */
export const openBody =
  (response: ServerResponse | Http2ServerResponse): OpenBody =>
  (envelope) => {
    if (response.destroyed) return undefined;
    // HTTP/1 and HTTP/2 declare the same method in two ways.
    const hasRoom = (response as ServerResponse).write(envelope);
    return hasRoom || response.destroyed ? undefined : room(response);
  };

/** Resolves when the buffer has drained or the client is gone. */
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
