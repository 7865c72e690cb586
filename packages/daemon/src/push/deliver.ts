import { lookup } from "node:dns";
import { request } from "node:https";
import type { LookupFunction } from "node:net";
import { encryptMessage, type Receiver } from "./encrypt.ts";
import { type Endpoint, isPublicAddress } from "./endpoint.ts";
import { type VapidKey, vapidHeader } from "./vapid.ts";

/** A message for a browser. */
export interface Message {
  readonly text: string;
  /** How long the service stores it for an offline device. */
  readonly ttlSeconds: number;
  readonly urgency: "normal" | "high";
  /** A later message with the same topic replaces an earlier one; at most 32 letters and digits. */
  readonly topic: string;
}

/** The result of sending a message. */
export type Delivery =
  | { readonly type: "taken" }
  /** The browser has ended its subscription. */
  | { readonly type: "gone" }
  | { readonly type: "refused"; readonly reason: string };

const MAX_MS = 15_000;
const MAX_REASON_CHARS = 300;

/** Sends a message to a push service; never rejects. */
export function deliver(
  { url, isOwn }: Endpoint,
  receiver: Receiver,
  key: VapidKey,
  { text, ttlSeconds, urgency, topic }: Message,
): Promise<Delivery> {
  return new Promise((resolve) => {
    const refused = (reason: string) => resolve({ type: "refused", reason });
    const body = encryptMessage(text, receiver);
    const call = request(url, {
      method: "POST",
      headers: {
        authorization: vapidHeader(key, url.origin, Date.now()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "content-length": body.length,
        ttl: ttlSeconds,
        urgency,
        topic,
      },
      signal: AbortSignal.timeout(MAX_MS),
      agent: false,
      ...(!isOwn && { lookup: lookUpPublic }),
    });
    call.on("error", (error) => refused(`${url.host} can't be reached: ${error.message}`));
    call.on("response", (response) => {
      const { statusCode = 0 } = response;
      let said = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        said = `${said}${chunk}`.slice(0, MAX_REASON_CHARS);
      });
      response.on("error", () => {});
      response.on("close", () => {
        if (statusCode >= 200 && statusCode < 300) resolve({ type: "taken" });
        else if (statusCode === 404 || statusCode === 410) resolve({ type: "gone" });
        else refused(`${url.host} answers ${statusCode}${said === "" ? "" : `: ${said.trim()}`}`);
      });
    });
    call.end(body);
  });
}

/** Checks the address of a name at the moment of use: whoever controls the name must not direct requests into this network. */
const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const found = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = found;
    if (!first) return done(new Error(`${hostname} has no public address`), []);
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
};
