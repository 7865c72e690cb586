import { EventSchema, type WatchRequest, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Session } from "../session/session.ts";
import type { Delivery, Subscriber } from "../session/subscriber.ts";
import { callerOf } from "./caller.ts";
import { CUT_OFF } from "./cut-off.ts";

/** Streams a session's events until the client goes or the daemon ends the stream. */
export function watch(session: Session, { client, afterSeq }: WatchRequest, context: HandlerContext) {
  const subscriber = session.watch(callerOf(context, client), Number(afterSeq));
  return stream(subscriber, context);
}

async function* stream(subscriber: Subscriber, context: HandlerContext) {
  const leave = () => subscriber.close();
  let stay = () => {};
  subscriber.onEnd = () => {
    stay = context.values.get(CUT_OFF)();
  };
  context.signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const delivery = await subscriber.pull();
      if (!delivery) return;
      yield toResponse(delivery);
    }
  } finally {
    context.signal.removeEventListener("abort", leave);
    subscriber.close();
    stay();
  }
}

/** A delivery as clients get it. */
export function toResponse({ events, gap, notice, caughtUp }: Delivery) {
  return create(WatchResponseSchema, {
    events: events.map(({ body }) => fromBinary(EventSchema, body)),
    ...(gap && {
      gap: { fromSeq: BigInt(gap.from), toSeq: BigInt(gap.to), reason: "older events were pruned" },
    }),
    ...(notice && { notice }),
    caughtUp: caughtUp ?? false,
  });
}
