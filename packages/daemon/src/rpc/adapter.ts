import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import {
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
} from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { failRequest } from "../http/error-boundary.ts";
import type { Handler } from "../http/front.ts";
import { grpcMessage } from "../http/grpc-message.ts";
import { pathOf } from "../http/path-of.ts";
import { type Rejection, reject } from "../http/rejection.ts";
import { contextValues } from "./cut-off.ts";
import { REACHED_SERVICE, undecodable } from "./undecodable.ts";

/** Answers RPCs in the protocol of the request; a client that disconnects is not an error. */
export function connectHandler(
  routes: (router: ConnectRouter) => void,
  options: ConnectRouterOptions,
  onFailure: (error: unknown) => void,
): Handler {
  const router = createConnectRouter(options);
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request, response) => {
    const handler = handlers.get(pathOf(request));
    if (!handler) {
      reject(request, response, { status: 404, reason: `not found: ${pathOf(request)}` });
      return;
    }
    forgetName(request);
    const values = contextValues(request, response);
    const asked = universalRequestFromNodeRequest(request, response, undefined, values);
    const serve = async () => {
      const said = await handler(asked);
      const { why, answer } = values.get(REACHED_SERVICE) ? { answer: said } : await undecodable(said);
      const refusal: Rejection | undefined =
        why === undefined ? bareRefusal(handler, said.status) : { status: 400, reason: why };
      if (refusal) reject(request, response, refusal);
      else await universalResponseToNodeResponse(spelled(answer), response);
    };
    serve().catch((error: unknown) => {
      if (asked.signal.aborted || response.destroyed || hasLeft(error)) return;
      onFailure(error);
      failRequest(request, response);
    });
  };
}

/** Whether a write failed because the client had just disconnected; the response is marked as destroyed only later. */
const hasLeft = (error: unknown) =>
  error instanceof ConnectError &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  (error.cause.code === "EPIPE" || error.cause.code === "ECONNRESET");

/**
 * Replaces the host name, which was already checked: gRPC clients of a socket file send its path, and the library fails to build
 * a URL from some names. It does not use the URL's host.
 */
function forgetName({ headers }: IncomingMessage | Http2ServerRequest): void {
  headers.host = "localhost";
  if (":authority" in headers) headers[":authority"] = "localhost";
}

/** A reason for responses that the library sends with a bare status code. */
function bareRefusal({ method }: UniversalHandler, status: number): Rejection | undefined {
  switch (status) {
    case 405:
      return { status, reason: "only POST is accepted here" };
    case 415: {
      const own = method.methodKind === "unary" ? "application/" : "application/connect+";
      const types = `${own}json, ${own}proto, application/grpc or application/grpc-web`;
      return { status, reason: `this content type is not accepted here: send ${types}` };
    }
    case 505:
      return { status, reason: "bidirectional streams need HTTP/2" };
    default:
      return undefined;
  }
}

/** Escapes the error message of an answer as little as possible. A getter, because the trailer is complete only after the body. */
const spelled = (answer: UniversalServerResponse): UniversalServerResponse => ({
  ...answer,
  get trailer() {
    const { trailer } = answer;
    const message = trailer?.get("grpc-message");
    if (message) trailer?.set("grpc-message", grpcMessage(decodeURIComponent(message)));
    return trailer;
  },
});
