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

/** Answers a request, whichever HTTP it came by. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Where the daemon is reached: a socket file, or a port, which is open to other machines only with TLS. */
export type ListenAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number; readonly tls?: TlsOptions | undefined };

/** A place that is being listened at. */
export interface Listener {
  /** As clients write it: a path, or `http://host:port`. */
  readonly address: string;
  /** Uses another certificate for connections from now on; only where there is one. */
  secure?(options: TlsOptions): void;
  /** Takes no more connections, and ends those that are there. */
  close(): Promise<void>;
}

/** What every HTTP/2 connection begins with. */
const HTTP2 = Buffer.from("PRI");
const MAX_CONNECTIONS = 2000;
/** How many may come at once and wait to be taken; the system takes no more than it is set to (`net.core.somaxconn`). */
const BACKLOG = 4096;
/** After how long a silent connection is probed. */
const KEEP_ALIVE_MS = 30_000;
/** How many of them one other machine may have. */
const MAX_FROM_ONE = 500;

/** Listens at one place for HTTP/1 and HTTP/2 alike: what gRPC, Connect, gRPC-Web, browsers and curl need. */
export async function listen(
  place: ListenAddress,
  handler: Handler,
  report: Report,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<Listener> {
  const guard = boundary((error) => report("connection", error));
  const { http1, http2 } = servers(withErrorBoundary(handler, report), limits, guard);
  const pass = (socket: Socket, isHttp2: boolean) => {
    // A socket that was passed on reports its errors to the new owner only.
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
    // A machine that vanished says no farewell, and must not be taken for one that watches.
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
      `${place.host} is ${at.address}, which others can reach: configure tls for it, or listen on 127.0.0.1`,
    );
  }
  return {
    address: addressOf(place, at),
    ...(secured && { secure: (options) => secured.setSecureContext(options) }),
    close,
  };
}

/** What one other machine has open; of our own, each has a name of its own elsewhere. */
function isTooMany({ remoteAddress = "" }: Socket, open: ReadonlySet<Socket>): boolean {
  if (remoteAddress === "" || isLoopback(remoteAddress) || open.size < MAX_FROM_ONE) return false;
  return [...open].filter((other) => other.remoteAddress === remoteAddress).length >= MAX_FROM_ONE;
}

async function bind(server: Server, place: ListenAddress): Promise<void> {
  if ("path" in place) {
    // The folder keeps others out until the socket does.
    makePrivateFolder(dirname(place.path));
    rmSync(place.path, { force: true });
    server.listen({ path: place.path, backlog: BACKLOG });
  } else server.listen({ port: place.port, host: place.host, backlog: BACKLOG });
  await once(server, "listening");
  if ("path" in place) chmodSync(place.path, 0o600);
}

/** Looks at the first bytes and puts them back; a client that sends nothing for too long is disconnected. */
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
