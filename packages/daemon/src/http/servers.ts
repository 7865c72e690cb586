import { createServer as createHttp1, type Server } from "node:http";
import { createServer as createHttp2, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Boundary } from "../boundary.ts";
import { endRequest } from "./end-request.ts";
import type { Handler } from "./front.ts";
import { pathOf } from "./path-of.ts";

/** How long a client may take to send a request. */
export interface HttpLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a connection may stay open without a request. */
  readonly idleMs: number;
}

export const HTTP_LIMITS: HttpLimits = { headersMs: 10_000, requestMs: 60_000, idleMs: 120_000 };

const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;
/**
 * How many streams one connection may have open. A gRPC client opens one connection and lets further calls wait without an error, so this
 * is more than the sessions that it may want to watch.
 */
const MAX_STREAMS = 2048;
/**
 * Beyond this, new requests on a connection are refused until the client has read more. The queue of each stream has a limit of its own,
 * but one large event alone would exceed Node's default of 10 MB.
 */
const MAX_CONNECTION_MB = 1024;
const KEEP_ALIVE_MS = 5000;

/** Servers for both versions of HTTP; `listen` decides which one gets a connection. */
export interface Servers {
  readonly http1: Server;
  readonly http2: Http2Server;
}

/** Creates servers that limit the time and the number of headers and streams of each client. */
export function servers(handler: Handler, limits: HttpLimits, guard: Boundary): Servers {
  const { headersMs, requestMs } = limits;
  const http1 = createHttp1(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(headersMs, 5000) / 2,
    },
    handler,
  );
  http1.maxHeadersCount = MAX_HEADERS;
  // The server never listens itself, but only checks timeouts after this event.
  http1.emit("listening");
  const http2 = createHttp2(
    {
      settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES, enablePush: false },
      maxHeaderListPairs: MAX_HEADERS,
      maxSessionMemory: MAX_CONNECTION_MB,
    },
    inTime(handler, requestMs),
  );
  // A peer that violates the protocol only loses its connection.
  http2.on("sessionError", () => {});
  http2.on(
    "session",
    guard((session: ServerHttp2Session) => closeWhenIdle(session, limits)),
  );
  return { http1, http2 };
}

/** Paths of streams on which the client keeps sending; these have no time limit. */
const CLIENT_STREAMS = new Set([
  "/agentwire.v1.SessionService/Converse",
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
]);

/** Ends requests that are not complete in time; the HTTP/1 server has its own timeout for this. */
function inTime(handler: Handler, ms: number): Handler {
  return (request, response) => {
    if (!CLIENT_STREAMS.has(pathOf(request)) && !request.readableEnded) {
      const timer = setTimeout(() => endRequest(request), ms).unref();
      const stop = () => clearTimeout(timer);
      request.once("end", stop);
      response.once("close", stop);
    }
    handler(request, response);
  };
}

/** Closes connections without requests, sooner if they never had one. */
function closeWhenIdle(session: ServerHttp2Session, { headersMs, idleMs }: HttpLimits): void {
  let open = 0;
  session.on("stream", (stream) => {
    open++;
    stream.once("close", () => open--);
  });
  session.on("timeout", () => {
    if (open === 0) session.destroy();
  });
  session.once("stream", () => session.setTimeout(idleMs));
  session.setTimeout(headersMs);
}
