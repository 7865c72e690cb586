import type { IncomingHttpHeaders } from "node:http";
import type { Handler } from "./front.ts";
import type { HostNameCheck } from "./names.ts";
import { type Rejection, reject } from "./rejection.ts";
import { isSecure } from "./secure.ts";
import { PROOF_HEADER } from "./signed-in.ts";

type Request = Parameters<Handler>[0];

/** Lets a request in, or says why not. */
export type Admit = (...exchange: Parameters<Handler>) => Rejection | undefined;

/** Answers a request that needs no proof; undefined for any other. */
export type PublicHandler = (request: Request) => Handler | undefined;

const NOTHING_PUBLIC: PublicHandler = () => undefined;

/** Passes on only what may be answered: first whether it can be meant for us, then whether whoever sent it may ask that. */
export function guarded(
  handler: Handler,
  knows: HostNameCheck,
  admit: Admit,
  open: PublicHandler = NOTHING_PUBLIC,
): Handler {
  return (request, response) => {
    const misplaced = placeRefusal(request, knows);
    const publicly = misplaced ? undefined : open(request);
    const refusal = misplaced ?? (publicly ? undefined : admit(request, response));
    if (refusal) reject(request, response, refusal);
    else (publicly ?? handler)(request, response);
  };
}

/** The same for the socket file, whose mode lets nobody else in: but a browser may get there by a port that somebody forwards. */
export function guardedSocket(handler: Handler, knows: HostNameCheck, admit: Admit): Handler {
  const strict = guarded(handler, knows, admit);
  const lenient = guarded(handler, () => true, admit);
  return (request, response) => (isBrowser(request.headers) ? strict : lenient)(request, response);
}

const isBrowser = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

/** Checks what browsers say of where a request comes from, against foreign pages and names that were made to point here. */
function placeRefusal(request: Request, knows: HostNameCheck): Rejection | undefined {
  const { method = "", headers } = request;
  const doubled = doubledIn(request);
  if (doubled !== undefined) return { status: 400, reason: `send the header ${doubled} once` };
  const [host, ...others] = namedBy(request);
  if (host === undefined || !knows(host))
    return { status: 403, reason: "that host name is not one of this daemon's names" };
  if (others.some((other) => other !== host))
    return { status: 400, reason: "the request names two different hosts" };
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, `${isSecure(request) ? "https:" : "http:"}//${host}`))
    return { status: 403, reason: "pages of other origins may not talk to this daemon" };
  if (!isFetchedByOwn(method, headers))
    return { status: 403, reason: "pages of other origins may not talk to this daemon" };
  if (FORM_TYPES.test(headers["content-type"] ?? ""))
    return { status: 415, reason: "forms are not accepted: send JSON or protobuf" };
  return undefined;
}

/** What pages can send anywhere without being asked whether they may. */
const FORM_TYPES = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i;

/** Whether a page is ours; one without TLS is not that of a port with it, for anybody could have changed it on its way. */
const isOwn = (origin: string, own: string) =>
  URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;

/** Where a request says that it goes, in lower case: both HTTPs have more than one place for that, and each is looked at by somebody. */
function namedBy({ url = "", headers }: Request): readonly string[] {
  const target = !url.startsWith("/") && URL.canParse(url) ? new URL(url).host : undefined;
  return [target, headers[":authority"], headers.host]
    .filter((name) => typeof name === "string")
    .map((name) => name.toLowerCase());
}

/** What is judged by must be there once: of two, whoever stands before us may have looked at the other. */
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
