import type { IncomingHttpHeaders } from "node:http";
import type { Handler } from "./front.ts";
import { isSame } from "./same.ts";
import { cookieFor, cookieOf } from "./sign-in-cookie.ts";

/** Why a request is not answered. */
interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

/** What a request at a port has to prove; a socket file needs none of it, for its mode lets nobody else in. */
interface GuardOptions {
  readonly token: string;
  readonly port: number;
  /** The hosts by which the daemon is known, with their port. */
  readonly hosts: ReadonlySet<string>;
}

/** Checks a request before anything else looks at it: the host and the origin against rebinding, then the token. */
function refusalOf(headers: IncomingHttpHeaders, options: GuardOptions): Refusal | undefined {
  return placeRefusal(headers, options) ?? tokenRefusal(headers, options);
}

function placeRefusal(headers: IncomingHttpHeaders, { hosts }: GuardOptions): Refusal | undefined {
  const authority = headers[":authority"];
  const host = headers.host ?? (typeof authority === "string" ? authority : "");
  if (!hosts.has(host.toLowerCase()))
    return { status: 403, reason: "this daemon is not known by that host name" };
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, hosts))
    return { status: 403, reason: "foreign pages may not talk to this daemon" };
  return undefined;
}

function tokenRefusal(headers: IncomingHttpHeaders, options: GuardOptions): Refusal | undefined {
  if (isSame(bearerOf(headers), options.token) || isSignedIn(headers, options)) return undefined;
  return { status: 401, reason: "send the token: Authorization: Bearer …" };
}

/** A cookie counts only where the browser says that our own page asks: other ports of this machine are the same site. */
function isSignedIn(headers: IncomingHttpHeaders, { token, port }: GuardOptions): boolean {
  const isOwnPage = headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin";
  return isOwnPage && isSame(cookieOf(headers, port), cookieFor(token));
}

/** The names of a port on this machine. */
function loopbackHosts(port: number): ReadonlySet<string> {
  return new Set(["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${port}`));
}

function isOwn(origin: string, hosts: ReadonlySet<string>): boolean {
  return URL.canParse(origin) && hosts.has(new URL(origin).host);
}

/** What stands in the header of whoever proves itself by a token. */
export const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";

/** Answers a request that needs no token; undefined for any other. */
export type PublicHandler = (request: Parameters<Handler>[0]) => Handler | undefined;

/** Passes on only what may be answered: what is public to every page of our own, the rest to whoever has the token. */
export function guarded(handler: Handler, publicHandler: PublicHandler, token: string): Handler {
  return (request, response) => {
    const port = request.socket.localPort ?? 0;
    const options = { token, port, hosts: loopbackHosts(port) };
    const open = publicHandler(request);
    const refusal = open ? placeRefusal(request.headers, options) : refusalOf(request.headers, options);
    if (!refusal) return (open ?? handler)(request, response);
    response.writeHead(refusal.status, { "content-type": "text/plain" });
    response.end(`${refusal.reason}\n`);
  };
}
