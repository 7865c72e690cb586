import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import { IDENTITY, identityOf } from "../access/identity.ts";
import { endRequest } from "../http/end-request.ts";
import { BODY, openBody } from "./open-body.ts";

/** How long a client may take to read the reason why its stream ends. */
const READ_REASON_MS = 5000;

/** Ends a request unless its client reads the last message in time; the returned function cancels this. */
export type CutOff = () => () => void;

/** The context key under which handlers find it. */
export const CUT_OFF = createContextKey<CutOff>(() => () => {}, {
  description: "ends a request by force",
});

/** The context values for the handlers of a request. */
export function contextValues(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): ContextValues {
  return createContextValues()
    .set(CUT_OFF, () => cutOff(request))
    .set(BODY, openBody(response))
    .set(IDENTITY, identityOf(request));
}

/** Gives the client time to read the last message, then ends the stream; with HTTP/1 this closes the connection. */
function cutOff(request: IncomingMessage | Http2ServerRequest): () => void {
  const timer = setTimeout(() => endRequest(request), READ_REASON_MS).unref();
  return () => clearTimeout(timer);
}
