import { parseUrl } from "../../url.ts";
import { matchesWildcard, wildcard } from "./wildcard.ts";

const PREFIX = "domain:";
const HOST_NAME = /^(?:[^\s:/?#@\\*]+|\[[0-9a-f:.]+\])$/i;
// Parsers disagree about the host if there is a backslash, a space or a third slash.
const PLAIN_URL = /^https?:\/\/[^\s\\/\p{C}][^\s\\\p{C}]*$/iu;

/** Longer than any address that servers accept; such an address is not examined. */
const MAX_URL_CHARS = 65_536;

/** Whether an allow rule `domain:host` or `domain:*.host` covers an address. */
export function allowsDomain(content: string, url: unknown): boolean {
  const host = webHost(url);
  const domain = domainOf(content);
  if (host === undefined || domain === undefined) return false;
  if (domain === "*") return true;
  const name = domain.replace(/^\*\./, "");
  const parent = HOST_NAME.test(name) ? readHost(`http://${name}`)?.host : undefined;
  if (parent === undefined) return false;
  return name === domain ? host === parent : host.endsWith(`.${parent}`);
}

/** Whether a deny or ask rule covers an address; its wildcards may be anywhere, and the scheme may be missing. */
export function forbidsDomain(content: string, url: unknown): boolean {
  const domain = domainOf(content);
  if (typeof url !== "string" || domain === undefined) return false;
  if (url.length > MAX_URL_CHARS) return true;
  const host = (readHost(url) ?? readHost(`https://${url}`))?.host;
  const pattern = domain.includes("*") ? domain : (readHost(`http://${domain}`)?.host ?? domain);
  return host !== undefined && matchesWildcard(wildcard(pattern, "*"), host);
}

/** The host of a web address that all parsers read alike. */
export function webHost(url: unknown): string | undefined {
  const read =
    typeof url === "string" && url.length <= MAX_URL_CHARS && PLAIN_URL.test(url) ? readHost(url) : undefined;
  return read?.hasUser ? undefined : read?.host;
}

function domainOf(content: string): string | undefined {
  return content.startsWith(PREFIX)
    ? content
        .slice(PREFIX.length)
        .toLowerCase()
        .replace(/(?<!\*)\.$/, "")
    : undefined;
}

function readHost(url: string): { readonly host: string; readonly hasUser: boolean } | undefined {
  const parsed = parseUrl(url);
  if (parsed === undefined) return undefined;
  const { protocol, username, password, hostname } = parsed;
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  return { host: hostname.replace(/\.$/, ""), hasUser: username !== "" || password !== "" };
}
