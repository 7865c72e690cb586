import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { dirname } from "node:path";

/** Answers a request, whichever HTTP it came by. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Where the daemon is reached: a socket file, or a port. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** A place that is being listened at. */
export interface Listener {
  /** As clients write it: a path, or `http://host:port`. */
  readonly address: string;
  /** Takes no more connections, and ends those that are there. */
  close(): Promise<void>;
}

/** What every HTTP/2 connection begins with. */
const HTTP2 = Buffer.from("PRI");
/** How long a connection may say nothing before it is told apart. */
const FIRST_BYTES_MS = 10_000;
const MAX_CONNECTIONS = 2000;

/** Listens at one place for HTTP/1 and HTTP/2 alike: what gRPC, Connect, gRPC-Web, browsers and curl need. */
export async function listen(place: Place, handler: Handler): Promise<Listener> {
  const http1 = createHttp1(handler);
  const http2 = createHttp2(handler);
  // A peer that breaks the protocol loses its connection, nothing more.
  http2.on("sessionError", () => {});
  const open = new Set<Socket>();
  const front = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    tellApart(socket, (isHttp2) => (isHttp2 ? http2 : http1).emit("connection", socket));
  });
  front.maxConnections = MAX_CONNECTIONS;
  await bind(front, place);
  return {
    address: addressOf(place, front.address() as AddressInfo),
    async close() {
      const closed = once(front, "close");
      front.close();
      http1.close();
      http2.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function bind(server: ReturnType<typeof createServer>, place: Place): Promise<void> {
  if ("path" in place) {
    // The folder keeps others out until the socket does.
    mkdirSync(dirname(place.path), { recursive: true, mode: 0o700 });
    rmSync(place.path, { force: true });
    server.listen(place.path);
  } else server.listen(place.port, place.host);
  await once(server, "listening");
  if ("path" in place) chmodSync(place.path, 0o600);
}

/** Looks at the first bytes and puts them back. */
function tellApart(socket: Socket, decide: (isHttp2: boolean) => void): void {
  socket.setTimeout(FIRST_BYTES_MS, () => socket.destroy());
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

function addressOf(place: Place, { port }: AddressInfo): string {
  if ("path" in place) return place.path;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  return `http://${host}:${port}`;
}
