import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Handler } from "./front.ts";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/** What a request at a port has to prove; a socket file needs none of it, for its mode lets nobody else in. */
export interface GuardOptions {
  readonly token: string;
  /** The hosts by which the daemon is known, with their port. */
  readonly hosts: ReadonlySet<string>;
}

/** Checks a request before anything else looks at it: the host and the origin against rebinding, then the token. */
export function refusalOf(headers: IncomingHttpHeaders, { token, hosts }: GuardOptions): Refusal | undefined {
  const authority = headers[":authority"];
  const host = headers.host ?? (typeof authority === "string" ? authority : "");
  if (!hosts.has(host.toLowerCase()))
    return { status: 403, reason: "this daemon is not known by that host name" };
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, hosts))
    return { status: 403, reason: "foreign pages may not talk to this daemon" };
  if (!isSame(bearerOf(headers), token))
    return { status: 401, reason: "send the token: Authorization: Bearer …" };
  return undefined;
}

/** The names of a port on this machine. */
export function loopbackHosts(port: number): ReadonlySet<string> {
  return new Set(["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${port}`));
}

function isOwn(origin: string, hosts: ReadonlySet<string>): boolean {
  return URL.canParse(origin) && hosts.has(new URL(origin).host);
}

const bearerOf = ({ authorization = "" }: IncomingHttpHeaders) =>
  /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";

/** Compares in a time that tells nothing, not even the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return expected !== "" && timingSafeEqual(digest(given), digest(expected));
}

/** Passes on only what may be answered; `optionsOf` gets the port that the request came to. */
export function guarded(handler: Handler, optionsOf: (port: number) => GuardOptions): Handler {
  return (request, response) => {
    const refusal = refusalOf(request.headers, optionsOf(request.socket.localPort ?? 0));
    if (!refusal) return handler(request, response);
    response.writeHead(refusal.status, { "content-type": "text/plain" });
    response.end(`${refusal.reason}\n`);
  };
}
