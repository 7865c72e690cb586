import type { PushService } from "@agentwire/api";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";

/** Manages the browsers that receive push messages while no page of the console is open. */
export function pushService({ push }: Daemon): ServiceImpl<typeof PushService> {
  return {
    async getPushKey({ endpoint }) {
      const wishes = endpoint === "" ? undefined : push.wishesOf(endpoint);
      return { publicKey: push.publicKey, ...(wishes && { wishes }) };
    },

    async subscribe({ endpoint, p256dh, auth, wishes }) {
      const { asks = true, failed = true, done = true } = wishes ?? {};
      await push.subscribe({ endpoint, p256dh, auth, wishes: { asks, failed, done } });
      return {};
    },

    async unsubscribe({ endpoint }) {
      push.unsubscribe(endpoint);
      return {};
    },

    async testPush({ endpoint }) {
      await push.test(endpoint);
      return {};
    },
  };
}
