import type { IncomingHttpHeaders } from "node:http";
import { allowOrigin, answerPreflight, type KnownOrigin, NO_OTHER } from "./cross-origin.ts";
import type { Handler } from "./front.ts";
import type { KnownHosts } from "./names.ts";
import { type Rejection, reject } from "./rejection.ts";
import { isSecure } from "./secure.ts";
import { PROOF_HEADER } from "./signed-in.ts";

type Request = Parameters<Handler>[0];

/** Lets a request in, or says why not. */
export type Admit = (...exchange: Parameters<Handler>) => Rejection | undefined;

/** Answers a request that needs no proof; undefined for any other. */
export type PublicHandler = (request: Request) => Handler | undefined;

/** For requests that prove otherwise that they are meant for us. */
export const ANY_HOST: KnownHosts = { knows: () => true, advice: "" };

const NOTHING_PUBLIC: PublicHandler = () => undefined;

/** Passes on only requests that may be answered: first checks that they are meant for us, then that the sender is allowed to. */
export function guarded(
  handler: Handler,
  known: KnownHosts,
  admit: Admit,
  open: PublicHandler = NOTHING_PUBLIC,
  isOfCluster: KnownOrigin = NO_OTHER,
): Handler {
  return (request, response) => {
    const misplaced = placeRefusal(request, known, isOfCluster);
    if (!misplaced && isForeign(request, isOfCluster)) {
      if (request.method === "OPTIONS") return answerPreflight(request, response);
      allowOrigin(request, response);
    }
    const publicly = misplaced ? undefined : open(request);
    const refusal = misplaced ?? (publicly ? undefined : admit(request, response));
    if (refusal) reject(request, response, refusal);
    else (publicly ?? handler)(request, response);
  };
}

/** The same for the socket file, whose mode admits only its owner; but a browser may reach it by a forwarded port. */
export function guardedSocket(handler: Handler, known: KnownHosts, admit: Admit): Handler {
  const strict = guarded(handler, known, admit);
  const lenient = guarded(handler, ANY_HOST, admit);
  return (request, response) => (isBrowser(request.headers) ? strict : lenient)(request, response);
}

const isBrowser = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

/** Checks what browsers say of where a request comes from, against foreign pages and names that were made to point here. */
function placeRefusal(request: Request, known: KnownHosts, isOfCluster: KnownOrigin): Rejection | undefined {
  const { method = "", headers } = request;
  const doubled = doubledIn(request);
  if (doubled !== undefined) return { status: 400, reason: `send the header ${doubled} once` };
  const [host, ...others] = namedBy(request);
  if (host === undefined || !known.knows(host))
    return { status: 403, reason: `this daemon has no such host name: ${known.advice}` };
  if (others.some((other) => other !== host))
    return { status: 400, reason: "the request names two different hosts" };
  // A page of another node's console proves itself by a token: what this browser is signed in with here is not for it.
  const isGuest = isForeign(request, isOfCluster) && (method === "OPTIONS" || bearerOf(headers) !== "");
  const { origin } = headers;
  if (
    !isGuest &&
    origin !== undefined &&
    !isOwn(origin, `${isSecure(request) ? "https:" : "http:"}//${host}`)
  )
    return { status: 403, reason: "pages from other origins may not use this daemon" };
  if (!isGuest && !isFetchedByOwn(method, headers))
    return { status: 403, reason: "pages from other origins may not use this daemon" };
  if (FORM_TYPES.test(headers["content-type"] ?? ""))
    return { status: 415, reason: "forms are not accepted: send JSON or protobuf" };
  return undefined;
}

/** Whether a page of another node's console asks, and calls something: nothing else is for it. */
const isForeign = ({ method, headers: { origin } }: Request, isOfCluster: KnownOrigin) =>
  origin !== undefined && (method === "POST" || method === "OPTIONS") && isOfCluster(origin);

/** What pages can send anywhere without being asked whether they may. */
const FORM_TYPES = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i;

/** Whether a page is ours; a page without TLS is not, at a port with TLS: it could have been changed on its way. */
const isOwn = (origin: string, own: string) =>
  URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;

/** The target host of a request, in lower case: both versions of HTTP have more than one place for it, and proxies read different ones. */
function namedBy({ url = "", headers }: Request): readonly string[] {
  const target = !url.startsWith("/") && URL.canParse(url) ? new URL(url).host : undefined;
  return [target, headers[":authority"], headers.host]
    .filter((name) => typeof name === "string")
    .map((name) => name.toLowerCase());
}

/** A header that decides must occur once: of two, a proxy may have checked the other. */
const SINGLE: ReadonlySet<string> = new Set([
  "host",
  "authorization",
  "origin",
  "content-type",
  "sec-fetch-site",
  PROOF_HEADER,
]);

/** A header that decides, and is there more than once. */
function doubledIn({ rawHeaders }: Request): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** A link from another site may open a page, which holds no user data; every other request from foreign pages is rejected. */
function isFetchedByOwn(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin") return true;
  const isSeen = method === "GET" || method === "HEAD";
  return isSeen && (site === "none" || headers["sec-fetch-mode"] === "navigate");
}

/** The token in the authorization header of a request. */
export const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^Bearer (.+)$/i.exec(authorization)?.[1] ?? "";
