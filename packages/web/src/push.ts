import { PushService, type PushWishes } from "@agentwire/api";
import type { Client } from "./client.ts";
import { notePush } from "./preferences.ts";
import { shareSignIn } from "./sign-in.ts";

/** The kinds of events this device is notified about. */
export type Wishes = Pick<PushWishes, "asks" | "failed" | "done">;

/** The state of notifications on this device: impossible, with the reason; off; or on. */
export type PushState =
  | { readonly type: "impossible"; readonly reason: string }
  | { readonly type: "off" }
  | { readonly type: "on"; readonly endpoint: string; readonly wishes: Wishes };

const ALL: Wishes = { asks: true, failed: true, done: true };

/** The current state of notifications on this device. */
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

/** Subscribes at the browser's push service and registers that with the daemon. If the browser refuses, rejects with a message that says what to do. */
export async function turnPushOn(client: Client, name: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("Notifications from this page are blocked. Allow them in the browser's settings.");
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

/** Changes the kinds of events this device is notified about. */
export async function wish(client: Client, wishes: Wishes): Promise<void> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) await client.connect(PushService).subscribe({ ...keysOf(subscription), wishes });
}

/** Unsubscribes at the daemon and at the push service. */
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

/** Why notifications are impossible here; undefined if they are possible. */
function obstacle(): string | undefined {
  if (!isSecureContext)
    return "Browsers allow notifications only over HTTPS or on the daemon's own machine. Configure a certificate for the port (daemon.listen).";
  if ("PushManager" in window && "Notification" in window && "serviceWorker" in navigator) return undefined;
  return /iPhone|iPad/.test(navigator.userAgent)
    ? "On an iPhone or iPad, first add this page to the Home Screen (Share, Add to Home Screen), then open it from there."
    : "This browser does not support push notifications.";
}
