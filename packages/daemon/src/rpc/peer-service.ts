import { existsSync } from "node:fs";
import { type PeerService, RelayResponseSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import type { Daemon } from "../daemon.ts";
import type { Delivery } from "../session/subscriber.ts";
import { callerOf } from "./caller.ts";
import { BODY } from "./open-body.ts";

/** Implements the service for other nodes of the cluster. */
export function peerService({ registry }: Daemon): ServiceImpl<typeof PeerService> {
  return {
    async *relay({ sessionId, afterSeq }, context) {
      const session = await registry.get(sessionId);
      const subscriber = session.watch(callerOf(context), Number(afterSeq));
      const gone = () => subscriber.close();
      context.signal.addEventListener("abort", gone, { once: true });
      try {
        const first = await subscriber.pull();
        if (first) yield relayed(first);
        // Bypasses Connect, as `watch` does for clients.
        const write = context.values.get(BODY);
        for (let delivery = await subscriber.pull(); delivery; delivery = await subscriber.pull()) {
          const room = delivery.events.length > 0 ? write(envelopeOf(delivery)) : undefined;
          if (room) await room;
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

const relayed = ({ events }: Delivery) =>
  create(RelayResponseSchema, {
    seqs: events.map(({ seq }) => BigInt(seq)),
    events: events.map(({ body }) => bytes(body)),
  });

/** Caches envelopes by their events: all nodes that keep up receive the same bytes. */
const made = new WeakMap<Delivery["events"], Buffer>();

function envelopeOf(delivery: Delivery): Buffer {
  const known = made.get(delivery.events);
  if (known) return known;
  const { buffer, byteOffset, length } = encodeEnvelope(0, toBinary(RelayResponseSchema, relayed(delivery)));
  const envelope = Buffer.from(buffer, byteOffset, length);
  made.set(delivery.events, envelope);
  return envelope;
}

const bytes = (body: Uint8Array) => new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
