import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";

/** The key that identifies this daemon to push services: nobody else can send to its subscriptions. */
export interface VapidKey {
  readonly privateKey: JsonWebKey;
  /** An uncompressed point of P-256, which browsers subscribe with. */
  readonly publicKey: Uint8Array;
}

const VALID_SECONDS = 12 * 3600;
/** Services require a contact; nobody reads mail to this address, which is reserved for such uses. */
const SUBJECT = "mailto:agentwire@example.com";

/** Creates a key. */
export function newVapidKey(): VapidKey {
  return vapidKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }));
}

/** Loads a stored key. Throws if it is invalid. */
export function vapidKey(privateKey: JsonWebKey): VapidKey {
  const { x = "", y = "" } = privateKey;
  createPrivateKey({ key: privateKey, format: "jwk" });
  return { privateKey, publicKey: Buffer.concat([Buffer.from([4]), decoded(x), decoded(y)]) };
}

/** The signature header for a request to a push service, by RFC 8292. */
export function vapidHeader({ privateKey, publicKey }: VapidKey, audience: string, nowMs: number): string {
  const claims = { aud: audience, exp: Math.floor(nowMs / 1000) + VALID_SECONDS, sub: SUBJECT };
  const body = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => encoded(JSON.stringify(part))).join(".");
  const key = createPrivateKey({ key: privateKey, format: "jwk" });
  const signature = sign("sha256", Buffer.from(body), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${body}.${encoded(signature)}, k=${encoded(publicKey)}`;
}

const encoded = (value: string | Uint8Array): string => Buffer.from(value).toString("base64url");
const decoded = (text: string): Buffer => Buffer.from(text, "base64url");
