import type { IncomingHttpHeaders } from "node:http";
import { allowOrigin, answerPreflight, type KnownOrigin, NO_OTHER } from "./cross-origin.ts";
import type { Handler } from "./front.ts";
import type { KnownHosts } from "./names.ts";
import { type Rejection, reject } from "./rejection.ts";
import { isSecure } from "./secure.ts";
import { PROOF_HEADER } from "./signed-in.ts";

type Request = Parameters<Handler>[0];

/** Admits a request, or returns the reason to reject it. */
export type Admit = (...exchange: Parameters<Handler>) => Rejection | undefined;

/** The handler for a request that needs no authentication; undefined for any other. */
export type PublicHandler = (request: Request) => Handler | undefined;

/** For requests that prove in another way that they are meant for this daemon. */
export const ANY_HOST: KnownHosts = { knows: () => true, advice: "" };

const NOTHING_PUBLIC: PublicHandler = () => undefined;

/** Passes on only permitted requests: checks that they are meant for this daemon, then that the sender is admitted. */
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

/** The same for the socket file, whose mode admits only its owner; but a browser may reach it through a forwarded port. */
export function guardedSocket(handler: Handler, known: KnownHosts, admit: Admit): Handler {
  const strict = guarded(handler, known, admit);
  const lenient = guarded(handler, ANY_HOST, admit);
  return (request, response) => (isBrowser(request.headers) ? strict : lenient)(request, response);
}

const isBrowser = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

/** Rejects requests of foreign pages and of DNS names that were made to point here, by the headers that browsers set. */
function placeRefusal(request: Request, known: KnownHosts, isOfCluster: KnownOrigin): Rejection | undefined {
  const { method = "", headers } = request;
  const doubled = doubledIn(request);
  if (doubled !== undefined) return { status: 400, reason: `send the header ${doubled} once` };
  const [host, ...others] = namedBy(request);
  if (host === undefined || !known.knows(host))
    return { status: 403, reason: `this daemon does not have that host name: ${known.advice}` };
  if (others.some((other) => other !== host))
    return { status: 400, reason: "the request names two different hosts" };
  // A page of another node's console has to send a token: it must not use this browser's sign-in here.
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

/** Whether a page of another node's console makes a call, the only kind of request allowed to it. */
const isForeign = ({ method, headers: { origin } }: Request, isOfCluster: KnownOrigin) =>
  origin !== undefined && (method === "POST" || method === "OPTIONS") && isOfCluster(origin);

/** Content types that pages can send to any origin without a preflight request. */
const FORM_TYPES = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i;

/** Whether a page is ours. At a port with TLS, a page loaded without TLS is not, since it could have been tampered with. */
const isOwn = (origin: string, own: string) =>
  URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;

/** All target hosts that a request names, in lower case: HTTP has several places for the host, and proxies read different ones. */
function namedBy({ url = "", headers }: Request): readonly string[] {
  const target = !url.startsWith("/") && URL.canParse(url) ? new URL(url).host : undefined;
  return [target, headers[":authority"], headers.host]
    .filter((name) => typeof name === "string")
    .map((name) => name.toLowerCase());
}

/** Headers that matter for security must occur once: if there are two, a proxy may have checked the other one. */
const SINGLE: ReadonlySet<string> = new Set([
  "host",
  "authorization",
  "origin",
  "content-type",
  "sec-fetch-site",
  PROOF_HEADER,
]);

/** The first such header that occurs more than once. */
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

/** A link on another site may open a page, which contains no user data; every other request of foreign pages is rejected. */
function isFetchedByOwn(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin") return true;
  const isSeen = method === "GET" || method === "HEAD";
  return isSeen && (site === "none" || headers["sec-fetch-mode"] === "navigate");
}

/** The token in the authorization header of a request. */
export const bearerOf = ({ authorization = "" }: IncomingHttpHeaders): string =>
  /^Bearer (.+)$/i.exec(authorization)?.[1] ?? "";
