import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import type { TlsOptions } from "node:tls";
import { makePrivateFolder } from "@agentwire/local/files";
import { boundary, type Report } from "../boundary.ts";
import { SettingsError } from "../settings-error.ts";
import { withErrorBoundary } from "./error-boundary.ts";
import { isLoopback } from "./names.ts";
import { HTTP_LIMITS, type HttpLimits, servers } from "./servers.ts";
import { tlsServer } from "./tls.ts";

/** Answers a request of HTTP/1 or HTTP/2. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** What the daemon listens on: a socket file, or a port, which other machines can reach only with TLS. */
export type ListenAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number; readonly tls?: TlsOptions | undefined };

/** An address that the daemon listens on. */
export interface Listener {
  /** As clients spell it: a path, or `http://host:port`. */
  readonly address: string;
  /** Uses another certificate for new connections; only present with TLS. */
  secure?(options: TlsOptions): void;
  /** Stops accepting connections and closes the open ones. */
  close(): Promise<void>;
}

/** What every HTTP/2 connection begins with. */
const HTTP2 = Buffer.from("PRI");
const MAX_CONNECTIONS = 2000;
/** How many connections may wait to be accepted; the system limits this too (`net.core.somaxconn`). */
const BACKLOG = 4096;
/** After how long a silent connection is probed. */
const KEEP_ALIVE_MS = 30_000;
/** How many connections one other machine may have. */
const MAX_FROM_ONE = 500;

/** Listens on one address for both HTTP/1 and HTTP/2, as gRPC, Connect, gRPC-Web, browsers and curl need. */
export async function listen(
  place: ListenAddress,
  handler: Handler,
  report: Report,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<Listener> {
  const guard = boundary((error) => report("connection", error));
  const { http1, http2 } = servers(withErrorBoundary(handler, report), limits, guard);
  const pass = (socket: Socket, isHttp2: boolean) => {
    // A socket that was passed on reports its errors only to its new owner.
    socket.on("error", () => socket.destroy());
    (isHttp2 ? http2 : http1).emit("connection", socket);
  };
  const secured = "host" in place && place.tls ? tlsServer(place.tls, guard(pass)) : undefined;
  const front =
    secured ??
    createServer(
      guard((socket: Socket) =>
        tellApart(
          socket,
          limits.headersMs,
          guard((isHttp2) => pass(socket, isHttp2)),
        ),
      ),
    );
  const open = new Set<Socket>();
  const opened = (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    if (isTooMany(socket, open)) return void socket.destroy();
    // A machine that vanished never closes its connection, and must not count as watching forever.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  };
  front.on("connection", guard(opened));
  front.maxConnections = MAX_CONNECTIONS;
  await bind(front, place);
  // Running out of file descriptors must not end the open connections.
  front.on("error", (error) => report("connection", error));
  const close = async () => {
    const closed = once(front, "close");
    front.close();
    http1.close();
    http2.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  const at = front.address() as AddressInfo;
  if ("host" in place && !place.tls && !isLoopback(at.address)) {
    await close();
    throw new SettingsError(
      `${place.host} is ${at.address}, which other machines can reach: configure tls for it, or listen on 127.0.0.1`,
    );
  }
  return {
    address: addressOf(place, at),
    ...(secured && { secure: (options) => secured.setSecureContext(options) }),
    close,
  };
}

/** Whether a machine other than this one has too many connections open. */
function isTooMany({ remoteAddress = "" }: Socket, open: ReadonlySet<Socket>): boolean {
  if (remoteAddress === "" || isLoopback(remoteAddress) || open.size < MAX_FROM_ONE) return false;
  return [...open].filter((other) => other.remoteAddress === remoteAddress).length >= MAX_FROM_ONE;
}

async function bind(server: Server, place: ListenAddress): Promise<void> {
  if ("path" in place) {
    // Until the socket's own mode is set, the private folder keeps other users out.
    makePrivateFolder(dirname(place.path));
    rmSync(place.path, { force: true });
    server.listen({ path: place.path, backlog: BACKLOG });
  } else server.listen({ port: place.port, host: place.host, backlog: BACKLOG });
  await once(server, "listening");
  if ("path" in place) chmodSync(place.path, 0o600);
}

/** Peeks at the first bytes to tell HTTP/2 from HTTP/1; a client that sends nothing for too long is disconnected. */
function tellApart(socket: Socket, waitMs: number, decide: (isHttp2: boolean) => void): void {
  socket.setTimeout(waitMs, () => socket.destroy());
  let seen = Buffer.alloc(0);
  const look = () => {
    for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null)
      seen = Buffer.concat([seen, chunk]);
    if (seen.length < HTTP2.length) return;
    socket.off("readable", look);
    socket.setTimeout(0);
    socket.removeAllListeners("timeout");
    socket.unshift(seen);
    decide(seen.subarray(0, HTTP2.length).equals(HTTP2));
  };
  socket.on("readable", look);
}

function addressOf(place: ListenAddress, { port }: AddressInfo): string {
  if ("path" in place) return place.path;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  return `${place.tls ? "https" : "http"}://${host}:${port}`;
}
