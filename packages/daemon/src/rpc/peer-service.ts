import { existsSync } from "node:fs";
import type { PeerService } from "@agentwire/api";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { callerOf } from "./caller.ts";

/** Answers what other nodes of the cluster ask. */
export function peerService({ registry }: Daemon): ServiceImpl<typeof PeerService> {
  return {
    async *relay({ sessionId, afterSeq }, context) {
      const session = await registry.get(sessionId);
      const subscriber = session.watch(callerOf(context), Number(afterSeq));
      const gone = () => subscriber.close();
      context.signal.addEventListener("abort", gone, { once: true });
      try {
        for (let delivery = await subscriber.pull(); delivery; delivery = await subscriber.pull()) {
          const { events } = delivery;
          if (events.length > 0)
            yield {
              seqs: events.map(({ seq }) => BigInt(seq)),
              events: events.map(({ body }) => bytes(body)),
            };
        }
      } finally {
        context.signal.removeEventListener("abort", gone);
        subscriber.close();
      }
    },
    clientLeft({ sessionId, client }: { sessionId: string; client: string }, _: HandlerContext) {
      const session = registry.find(sessionId);
      const isHere = [...(session?.journal.subscribers ?? [])].some((other) => other.client === client);
      if (!isHere) session?.input.left(client);
      return {};
    },
    async takeUp({ sessionIds }) {
      await registry.takeUp(sessionIds);
      return {};
    },
    hasFolder: ({ path }) => ({ found: existsSync(path) }),
  };
}

const bytes = (body: Uint8Array) => new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
