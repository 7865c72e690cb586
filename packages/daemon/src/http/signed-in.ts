import { createHmac, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { secretsEqual } from "./secrets-equal.ts";

/** A browser that is signed in. */
export interface SignedIn {
  /** The credential of whoever created its link; empty for the owner of the daemon. */
  readonly credential: string;
  readonly untilMs: number;
}

/** The port on which a browser is signed in. */
export interface SignInPort {
  readonly port: number;
  readonly isSecure: boolean;
}

/** What a browser receives; it is signed in only with both. */
export interface BrowserKeys {
  /** The header that sets the cookie. No script can read it, but browsers send it to every port of the host. */
  readonly setCookie: string;
  /** For the local storage of the console's origin, which no other port shares; its scripts send it as a header. */
  readonly proof: string;
}

/** The header in which the console's scripts send the proof. */
export const PROOF_HEADER = "agentwire-sign-in";

/** Signs a browser in. Its keys are derived from the daemon's token, so the daemon has nothing to store. */
export function browserKeys(
  token: string,
  { credential, untilMs }: SignedIn,
  place: SignInPort,
  now: number,
): BrowserKeys {
  const facts = JSON.stringify([credential, untilMs, randomBytes(16).toString("base64url")]);
  const body = Buffer.from(facts).toString("base64url");
  const proof = `${body}.${sign(token, "proof", place, body)}`;
  const value = sign(token, "cookie", place, proof);
  const maxAge = Math.max(0, Math.floor((untilMs - now) / 1000));
  const secure = place.isSecure ? "; Secure" : "";
  return {
    setCookie: `${cookieName(place)}=${value}; HttpOnly${secure}; SameSite=Strict; Path=/; Max-Age=${maxAge}`,
    proof,
  };
}

/** The sign-in that the headers of a request prove; undefined without the proof or the matching cookie. */
export function signedInBy(
  token: string,
  headers: IncomingHttpHeaders,
  place: SignInPort,
  now: number,
): SignedIn | undefined {
  const proof = headers[PROOF_HEADER];
  if (typeof proof !== "string" || proof.length > MAX_PROOF) return undefined;
  const [body = "", signature = ""] = proof.split(".");
  if (!secretsEqual(signature, sign(token, "proof", place, body))) return undefined;
  if (!secretsEqual(cookieIn(headers, place), sign(token, "cookie", place, proof))) return undefined;
  const [credential, untilMs] = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as [
    string,
    number,
  ];
  return untilMs > now ? { credential, untilMs } : undefined;
}

const MAX_PROOF = 1000;

/** The signature for the proof or the cookie. */
const sign = (token: string, what: "proof" | "cookie", { port }: SignInPort, text: string) =>
  createHmac("sha256", token).update(`agentwire sign-in ${what} at ${port}: ${text}`).digest("base64url");

/** The value of our cookie; empty if the browser sent none. */
function cookieIn({ cookie = "" }: IncomingHttpHeaders, place: SignInPort): string {
  const start = `${cookieName(place)}=`;
  const found = cookie.split(";").find((part) => part.trimStart().startsWith(start));
  return found?.trim().slice(start.length) ?? "";
}

/** Ports share cookies, so the name contains the port. With TLS, the prefix keeps insecure pages and other hosts from setting it. */
const cookieName = ({ port, isSecure }: SignInPort) => `${isSecure ? "__Host-" : ""}agentwire-${port}`;
