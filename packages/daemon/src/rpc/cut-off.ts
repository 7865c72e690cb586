import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import { IDENTITY, identityOf } from "../access/identity.ts";
import { endRequest } from "../http/end-request.ts";
import { BODY, openBody } from "./open-body.ts";

/** How long a client whose stream ends may take to read why. */
const LAST_WORDS_MS = 5000;

/** Ends a request whose client has not read what it was told last; cancelled by the function that comes back. */
export type CutOff = () => () => void;

/** Where handlers find it. */
export const CUT_OFF = createContextKey<CutOff>(() => () => {}, {
  description: "ends a request by force",
});

/** What handlers of a request can know of it. */
export function contextValues(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): ContextValues {
  return createContextValues()
    .set(CUT_OFF, () => cutOff(request))
    .set(BODY, openBody(response))
    .set(IDENTITY, identityOf(request));
}

/** Gives the client time for its last words, then ends the stream: of HTTP/1 that is the connection. */
function cutOff(request: IncomingMessage | Http2ServerRequest): () => void {
  const timer = setTimeout(() => endRequest(request), LAST_WORDS_MS).unref();
  return () => clearTimeout(timer);
}
