import { parseUrl } from "@agentwire/protocol/support";
import { isLoopbackName } from "./address.ts";
import { htmlToText } from "./html-to-text.ts";
import { type Answer, type RequestLimits, request } from "./request.ts";

const MAX_REDIRECTS = 10;

/** Limits on the size and duration of fetching a page, including all redirects. */
export interface FetchLimits extends RequestLimits {
  readonly timeoutMs: number;
}

/** A page as text. */
export interface Page {
  /** Its final address. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly bytes: number;
  readonly text: string;
}

/** The result of a fetch: a page, or another host from which the model may fetch if permitted. */
export type Fetched =
  | { readonly type: "page"; readonly page: Page }
  | { readonly type: "elsewhere"; readonly url: string; readonly answer: Answer };

/**
 * Checks and normalizes an address from the model: only http and https, without credentials, encrypted unless on this machine.
 */
export function checkUrl(text: string): URL {
  if (parseUrl(text) === undefined) throw new Error(`${text} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error("only http and https addresses can be fetched");
  if (url.username !== "" || url.password !== "")
    throw new Error("addresses with a user name or password are not fetched");
  if (url.protocol === "http:" && !isLoopbackName(url.hostname)) url.protocol = "https:";
  url.hash = "";
  return url;
}

/** Fetches a page, following redirects within its host. */
export async function fetchPage(start: URL, { maxBytes, timeoutMs, signal }: FetchLimits): Promise<Fetched> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`no complete answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  const either = AbortSignal.any([signal, late.signal]);
  try {
    return await follow(start, { maxBytes, signal: either });
  } catch (error) {
    // The error of a cut connection is not the reason.
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function follow(start: URL, limits: RequestLimits): Promise<Fetched> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await request(url, limits);
    const target = redirectTarget(answer, url);
    if (!target) return { type: "page", page: await readPage(answer, url) };
    if (!isSameHost(start, target)) return { type: "elsewhere", url: target.href, answer };
    url = target;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

function redirectTarget({ status, location }: Answer, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const target = parseUrl(location, url.href);
  return target && checkUrl(target.href);
}

function isSameHost(one: URL, other: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, "");
  return name(one) === name(other) && one.port === other.port;
}

async function readPage(answer: Answer, url: URL): Promise<Page> {
  const { status, statusText, body } = answer;
  return { url: url.href, status, statusText, bytes: body.length, text: await textOf(answer, url) };
}

async function textOf({ contentType, body }: Answer, url: URL): Promise<string> {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  const kind = type.trim();
  if (
    kind.startsWith("image/") ||
    kind.startsWith("audio/") ||
    kind.startsWith("video/") ||
    looksBinary(body)
  )
    return `[${kind || "binary data"}, ${body.length} bytes: not text]`;
  const text = decode(body, parameters);
  return kind.includes("html") ? htmlToText(text, url.href) : text;
}

function decode(body: Buffer, parameters: readonly string[]): string {
  const charset = parameters
    .map((parameter) => /^\s*charset="?([\w-]+)/.exec(parameter)?.[1])
    .find((name) => name);
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString("utf8");
  }
}

function looksBinary(body: Buffer): boolean {
  return body.subarray(0, 4096).includes(0);
}
