import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log, Redact } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";
import { tokenOf } from "../http/token.ts";
import type { SessionNews } from "../session/news.ts";
import type { Delivery, Message } from "./deliver.ts";
import { endpointOf } from "./endpoint.ts";
import { messageOf, TEST_MESSAGE } from "./message.ts";
import { PushBook, type Subscription, type Wishes } from "./push-book.ts";

/** The dependencies of notifications. */
interface PushOptions {
  /** The daemon's own folder. */
  readonly folder: string;
  /** Push services to allow in addition to those of browsers, as `host` or `host:port`. */
  readonly pushHosts: readonly string[];
  readonly redact: Redact;
  readonly log: Log;
}

/** Sends news to browsers through their push services, even while no page is open. */
export class Push {
  readonly #options: PushOptions;
  #book: PushBook | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
  }

  /** Read on first use: most daemons have no subscription. */
  get #kept(): PushBook {
    const { folder } = this.#options;
    this.#book ??= new PushBook(folder, tokenOf(folder));
    return this.#book;
  }

  get publicKey(): Uint8Array {
    return this.#kept.key.publicKey;
  }

  /** What a subscription receives; undefined if it is unknown. */
  wishesOf(endpoint: string): Wishes | undefined {
    return this.#kept.find(endpoint)?.wishes;
  }

  /** Adds a subscription. Throws `INVALID_ARGUMENT` if nothing can or may be sent to it. */
  async subscribe(subscription: Subscription): Promise<void> {
    const { endpoint, p256dh, auth } = subscription;
    endpointOf(endpoint, this.#options.pushHosts);
    if (auth.length !== 16) throw new DaemonError("INVALID_ARGUMENT", "auth: give 16 bytes");
    const { encryptMessage } = await import("./encrypt.ts");
    try {
      encryptMessage("", { p256dh, auth });
    } catch (cause) {
      throw new DaemonError("INVALID_ARGUMENT", "p256dh: give an uncompressed point of P-256", { cause });
    }
    this.#kept.add(subscription);
  }

  unsubscribe(endpoint: string): void {
    this.#kept.remove(endpoint);
  }

  /** Sends a test notification to one subscription; rejects with the push service's error if it refuses it. */
  async test(endpoint: string): Promise<void> {
    const found = this.#kept.find(endpoint);
    if (!found) throw new DaemonError("INVALID_ARGUMENT", "endpoint: there is no such subscription");
    const delivery = await this.#send(found, TEST_MESSAGE);
    if (delivery.type === "gone")
      throw new DaemonError("INVALID_ARGUMENT", "endpoint: the browser has ended this subscription");
    if (delivery.type === "refused") throw new DaemonError("WORKSPACE_REFUSED", delivery.reason);
  }

  /** Sends news to every subscriber that wants it; failures are only logged. */
  async tell(news: SessionNews): Promise<void> {
    if (!this.#book && !existsSync(join(this.#options.folder, "push.json"))) return;
    const wanted = this.#kept.subscriptions.filter(({ wishes }) => wishes[news.kind]);
    if (wanted.length === 0) return;
    const message = messageOf(news, this.#options.redact);
    await Promise.all(wanted.map((subscription) => this.#send(subscription, message)));
  }

  async #send(subscription: Subscription, message: Message): Promise<Delivery> {
    const { endpoint } = subscription;
    const { deliver } = await import("./deliver.ts");
    const delivery = await deliver(
      endpointOf(endpoint, this.#options.pushHosts),
      subscription,
      this.#kept.key,
      message,
    );
    if (delivery.type === "gone") this.#kept.remove(endpoint);
    // The full URL is as good as a key.
    if (delivery.type === "refused")
      this.#options.log.warn("a notification was not delivered", { reason: delivery.reason });
    return delivery;
  }
}
