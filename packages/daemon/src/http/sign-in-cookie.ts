import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const DAYS = 30;

/** What the cookie of a signed-in browser holds: it follows from the token, but the token does not follow from it. */
export const cookieFor = (token: string): string =>
  createHmac("sha256", token).update("agentwire sign-in cookie").digest("base64url");

/** The header that signs a browser in; ports share their cookies, so the name has the port in it. */
export function setCookie(token: string, port: number): string {
  return `${nameAt(port)}=${cookieFor(token)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${DAYS * 86_400}`;
}

/** What a browser sent in our cookie; empty if it has none. */
export function cookieOf({ cookie = "" }: IncomingHttpHeaders, port: number): string {
  const start = `${nameAt(port)}=`;
  const found = cookie.split(";").find((part) => part.trimStart().startsWith(start));
  return found?.trim().slice(start.length) ?? "";
}

const nameAt = (port: number) => `agentwire-${port}`;
