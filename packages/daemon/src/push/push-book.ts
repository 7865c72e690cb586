import { createHash, type JsonWebKey } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import type { Receiver } from "./encrypt.ts";
import { newVapidKey, type VapidKey, vapidKey } from "./vapid.ts";

/** The kinds of news that a browser has subscribed to. */
export interface Wishes {
  readonly asks: boolean;
  readonly failed: boolean;
  readonly done: boolean;
}

/** A browser that receives news. */
export interface Subscription extends Receiver {
  readonly endpoint: string;
  readonly wishes: Wishes;
}

/** The limit on subscriptions, since each costs a request per piece of news. */
const MOST = 50;

/** The daemon's key and the subscriptions, in a file that only its owner can read. Subscriptions end with the daemon's token, like sign-ins. */
export class PushBook {
  readonly #path: string;
  readonly #owner: string;
  #key: VapidKey | undefined;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(folder: string, token: string) {
    this.#path = join(folder, "push.json");
    this.#owner = createHash("sha256").update(`push ${token}`).digest("base64url");
    this.#read();
  }

  /** The key, created on first use. */
  get key(): VapidKey {
    if (this.#key) return this.#key;
    this.#key = newVapidKey();
    this.#write();
    return this.#key;
  }

  get subscriptions(): readonly Subscription[] {
    return [...this.#subscriptions.values()];
  }

  find(endpoint: string): Subscription | undefined {
    return this.#subscriptions.get(endpoint);
  }

  /** Adds a subscription, or changes what an existing one receives. */
  add(subscription: Subscription): void {
    const { endpoint } = subscription;
    if (!this.#subscriptions.has(endpoint) && this.#subscriptions.size >= MOST)
      throw new DaemonError(
        "TOO_MANY",
        `${MOST} devices get notifications already: end it on one of them first`,
      );
    this.#subscriptions.set(endpoint, subscription);
    this.#write();
  }

  remove(endpoint: string): void {
    if (this.#subscriptions.delete(endpoint)) this.#write();
  }

  #read(): void {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch {
      return;
    }
    const kept: unknown = JSON.parse(text);
    if (!isJsonObject(kept) || !isJsonObject(kept.key))
      throw new Error(`${this.#path} is damaged: remove it`);
    this.#key = vapidKey(kept.key as JsonWebKey);
    if (kept.owner !== this.#owner || !Array.isArray(kept.subscriptions)) return;
    for (const { endpoint, p256dh, auth, wishes } of kept.subscriptions)
      this.#subscriptions.set(endpoint, { endpoint, p256dh: bytes(p256dh), auth: bytes(auth), wishes });
  }

  #write(): void {
    const subscriptions = this.subscriptions.map(({ p256dh, auth, ...others }) => ({
      ...others,
      p256dh: Buffer.from(p256dh).toString("base64url"),
      auth: Buffer.from(auth).toString("base64url"),
    }));
    const content = { key: this.#key?.privateKey, owner: this.#owner, subscriptions };
    const draft = `${this.#path}.new`;
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text, "base64url");
