import { createHmac } from "node:crypto";
import { secretsEqual } from "../http/secrets-equal.ts";

/** The content of a pass: the credential that one node has checked for its bearer. */
export interface Pass {
  /** The id of a token, or a certificate; empty for the owner of a node. */
  readonly credential: string;
  readonly untilMs: number;
}

/** How long a pass is valid: after this, a client has to sign in at the other node itself. */
export const PASS_MS = 12 * 3_600_000;

const PREFIX = "awpass_";
const MAX_PASS = 1000;

/** Creates a pass that every node with the same key accepts; no node has to store it. */
export function passOf(key: Uint8Array, { credential, untilMs }: Pass): string {
  const body = Buffer.from(JSON.stringify([credential, untilMs])).toString("base64url");
  return `${PREFIX}${body}.${sign(key, body)}`;
}

/** Reads a pass that was sent as a token; undefined if it is not a pass, has another key, or has expired. */
export function passIn(key: Uint8Array, sent: string, now: number): Pass | undefined {
  if (!sent.startsWith(PREFIX) || sent.length > MAX_PASS) return undefined;
  const [body = "", signature = ""] = sent.slice(PREFIX.length).split(".");
  if (!secretsEqual(signature, sign(key, body))) return undefined;
  const [credential, untilMs] = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as [
    string,
    number,
  ];
  return untilMs > now ? { credential, untilMs } : undefined;
}

const sign = (key: Uint8Array, body: string) =>
  createHmac("sha256", key).update(`agentwire pass: ${body}`).digest("base64url");
