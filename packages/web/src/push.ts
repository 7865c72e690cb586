import { PushService, type PushWishes } from "@agentwire/api";
import type { Client } from "./client.ts";
import { notePush } from "./preferences.ts";
import { shareSignIn } from "./sign-in.ts";

/** The news that this device is told of. */
export type Wishes = Pick<PushWishes, "asks" | "failed" | "done">;

/** Notifications on this device: not possible and why, off, or on. */
export type PushState =
  | { readonly type: "impossible"; readonly reason: string }
  | { readonly type: "off" }
  | { readonly type: "on"; readonly endpoint: string; readonly wishes: Wishes };

const ALL: Wishes = { asks: true, failed: true, done: true };

/** How notifications are on this device now. */
export async function pushState(client: Client): Promise<PushState> {
  const reason = obstacle();
  if (reason !== undefined) return { type: "impossible", reason };
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (!subscription) return { type: "off" };
  const { endpoint } = subscription;
  const { wishes } = await client.connect(PushService).getPushKey({ endpoint });
  notePush(wishes !== undefined);
  return wishes ? { type: "on", endpoint, wishes } : { type: "off" };
}

/** Subscribes at the browser's push service, and tells the daemon. Rejects with what people can do if the browser won't. */
export async function turnPushOn(client: Client, name: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("Notifications from this page are blocked: allow them in the browser's settings.");
  const service = client.connect(PushService);
  const { publicKey } = await service.getPushKey({});
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(publicKey) })
    .catch((error: unknown) => {
      throw new Error(`The browser's push service can't be used: ${String(error)}`);
    });
  await service.subscribe({ ...keysOf(subscription), wishes: ALL });
  await shareSignIn(name);
  notePush(true);
  return { type: "on", endpoint: subscription.endpoint, wishes: ALL };
}

/** Changes what this device is told of. */
export async function wish(client: Client, wishes: Wishes): Promise<void> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) await client.connect(PushService).subscribe({ ...keysOf(subscription), wishes });
}

/** Ends it, at the daemon and at the push service. */
export async function turnPushOff(client: Client): Promise<PushState> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) {
    await client.connect(PushService).unsubscribe({ endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  notePush(false);
  return { type: "off" };
}

function keysOf(subscription: PushSubscription) {
  const key = (name: PushEncryptionKeyName) => new Uint8Array(subscription.getKey(name) ?? []);
  return { endpoint: subscription.endpoint, p256dh: key("p256dh"), auth: key("auth") };
}

/** What is in the way; undefined if nothing is. */
function obstacle(): string | undefined {
  if (!isSecureContext)
    return "Browsers allow notifications only over HTTPS, or on the daemon's own machine: give the port a certificate (daemon.listen).";
  if ("PushManager" in window && "Notification" in window && "serviceWorker" in navigator) return undefined;
  return /iPhone|iPad/.test(navigator.userAgent)
    ? "On an iPhone or iPad, first add this page to the home screen (Share, Add to Home Screen), and open it from there."
    : "This browser has no push notifications.";
}
