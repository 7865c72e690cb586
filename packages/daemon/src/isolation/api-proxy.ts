import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { Log } from "@agentwire/protocol/support";
import { type HostList, type Target, targetOf } from "./host-list.ts";

/** Further simultaneous connections are refused. */
const MAX_CONNECTIONS = 256;
const CONNECT_MS = 30_000;
/** Hop-by-hop headers, which are not forwarded. */
const HOP_BY_HOP = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "upgrade"];
const nothing = () => {};

/**
 * The only way out of the network of isolated agents: a proxy at a socket file that connects to the hosts of a list. Requests that are
 * not in proxy form go to the API, for agents that use no proxy for loopback addresses.
 */
export class ApiProxy {
  readonly #server: Server;
  readonly #hosts: HostList;
  readonly #log: Log;

  private constructor(hosts: HostList, log: Log) {
    this.#hosts = hosts;
    this.#log = log;
    this.#server = createServer((from, to) => this.#forward(from, to));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connect", (from: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(from, socket, head),
    );
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  /** Listens at a path in a folder that nobody else can enter. */
  static async listen(path: string, hosts: HostList, log: Log): Promise<ApiProxy> {
    const proxy = new ApiProxy(hosts, log);
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject).listen(path, resolve);
    });
    // The server must not keep the daemon's process alive.
    proxy.#server.unref();
    return proxy;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #tunnel({ url = "" }: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", nothing);
    const target = targetOf(url);
    if (!target || !this.#hosts.allows(target)) {
      this.#refused(url);
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
      return;
    }
    const upstream = connect({ ...target, lookup: this.#hosts.lookupFor(target), timeout: CONNECT_MS });
    upstream.once("timeout", () => upstream.destroy());
    upstream.once("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n"));
    upstream.once("connect", () => {
      upstream.setTimeout(0);
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) upstream.write(head);
      pipeline(socket, upstream, nothing);
      pipeline(upstream, socket, nothing);
    });
    socket.once("close", () => upstream.destroy());
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    const { url = "", method, headers } = from;
    const wanted = this.#wanted(url);
    if (!wanted || !this.#hosts.allows(wanted.target)) {
      this.#refused(url);
      to.writeHead(403, { "content-type": "text/plain", connection: "close" });
      to.end("The sandbox of this agent does not allow this host.\n");
      return;
    }
    const { target, path } = wanted;
    const passed = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
    const upstream = request({
      ...target,
      method,
      path,
      headers: Object.fromEntries(passed),
      lookup: this.#hosts.lookupFor(target),
    });
    upstream.once("response", (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, to, nothing);
    });
    upstream.once("error", () => {
      if (!to.headersSent) to.writeHead(502, { connection: "close" });
      to.end();
    });
    to.once("close", () => upstream.destroy());
    pipeline(from, upstream, nothing);
  }

  /** The destination of a request: the host that it names, or the API. */
  #wanted(url: string): { readonly target: Target; readonly path: string } | undefined {
    if (url.startsWith("/")) return { target: this.#hosts.api, path: url };
    const [, authority = "", path = ""] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
    const target = targetOf(authority, 80);
    return target && { target, path: path.startsWith("/") ? path : `/${path}` };
  }

  #refused(url: string): void {
    const [host] = url.replace(/^\w+:\/\//, "").split("/");
    this.#log.info("a sandboxed agent was denied access to a host", { host: (host ?? "").slice(0, 200) });
  }
}
