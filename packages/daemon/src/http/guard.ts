import type { IncomingHttpHeaders } from "node:http";
import type { Handler } from "./front.ts";
import type { Knows } from "./names.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Lets a request in, or says why not. */
export type Admit = (...exchange: Parameters<Handler>) => Refusal | undefined;

/** Answers a request that needs no proof; undefined for any other. */
export type PublicHandler = (request: Parameters<Handler>[0]) => Handler | undefined;

const NOTHING_PUBLIC: PublicHandler = () => undefined;

/** Passes on only what may be answered: first whether it can be meant for us, then whether whoever sent it may ask that. */
export function guarded(
  handler: Handler,
  knows: Knows,
  admit: Admit,
  open: PublicHandler = NOTHING_PUBLIC,
): Handler {
  return (request, response) => {
    const misplaced = placeRefusal(request.method, request.headers, knows);
    const publicly = misplaced ? undefined : open(request);
    const refusal = misplaced ?? (publicly ? undefined : admit(request, response));
    if (refusal) refuse(request, response, refusal);
    else (publicly ?? handler)(request, response);
  };
}

/** The same for the socket file, whose mode lets nobody else in: but a browser may get there by a port that somebody forwards. */
export function guardedSocket(handler: Handler, knows: Knows, admit: Admit): Handler {
  const strict = guarded(handler, knows, admit);
  const lenient = guarded(handler, () => true, admit);
  return (request, response) => (isBrowser(request.headers) ? strict : lenient)(request, response);
}

const isBrowser = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

/** Checks what browsers say of where a request comes from, against foreign pages and names that were made to point here. */
function placeRefusal(method = "", headers: IncomingHttpHeaders, knows: Knows): Refusal | undefined {
  const named = [headers[":authority"], headers.host].filter((name) => typeof name === "string");
  // HTTP/2 has two places for it, and both are looked at by somebody.
  if (named.length === 0 || !named.every((name) => knows(name.toLowerCase())))
    return { status: 403, reason: "this daemon is not known by that host name" };
  const [host = ""] = named.map((name) => name.toLowerCase());
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, host))
    return { status: 403, reason: "foreign pages may not talk to this daemon" };
  if (!isFetchedByOwn(method, headers))
    return { status: 403, reason: "foreign pages may not talk to this daemon" };
  if (FORM_TYPES.test(headers["content-type"] ?? ""))
    return { status: 415, reason: "forms are not taken: send JSON or protobuf" };
  return undefined;
}

/** What pages can send anywhere without being asked whether they may. */
const FORM_TYPES = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i;

const isOwn = (origin: string, host: string) => URL.canParse(origin) && new URL(origin).host === host;

/** Whoever follows a link from elsewhere gets a page, in which there is nothing of anybody's; nothing else is foreign pages' business. */
function isFetchedByOwn(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin") return true;
  const isSeen = method === "GET" || method === "HEAD";
  return isSeen && (site === "none" || headers["sec-fetch-mode"] === "navigate");
}

/** What stands in the header of whoever proves itself by a token. */
export const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^Bearer (.+)$/i.exec(authorization)?.[1] ?? "";
