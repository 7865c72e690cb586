import type { WatchRequest, WatchResponse } from "@agentwire/api";
import type { HandlerContext } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import type { Subscriber } from "../session/subscriber.ts";
import { callerOf } from "./caller.ts";
import { CUT_OFF } from "./cut-off.ts";
import { BODY } from "./open-body.ts";
import { envelopeOf, type Spelling, toResponse } from "./watch-response.ts";

type Watch = (
  daemon: Daemon,
  request: WatchRequest,
  context: HandlerContext,
) => AsyncGenerator<WatchResponse>;

/** Streams a session's events until the client leaves or the daemon ends the stream. */
export const watch: Watch = async function* (daemon, request, context) {
  const { subscriber, spelling, leave } = await subscribe(daemon, request, context);
  try {
    const first = await subscriber.pull();
    if (first) yield toResponse(first, spelling);
    const write = context.values.get(BODY);
    for (let delivery = await subscriber.pull(); delivery; delivery = await subscriber.pull()) {
      const room = write(envelopeOf(delivery, spelling));
      if (room) await room;
    }
  } finally {
    leave();
  }
};

/** The same, as messages for a stream that is shared with other messages. */
export const watchBeside: Watch = async function* (daemon, request, context) {
  const { subscriber, spelling, leave } = await subscribe(daemon, request, context);
  try {
    for (let delivery = await subscriber.pull(); delivery; delivery = await subscriber.pull())
      yield toResponse(delivery, spelling);
  } finally {
    leave();
  }
};

interface Watching {
  readonly subscriber: Subscriber;
  readonly spelling: Spelling;
  /** Must be called at the end. */
  readonly leave: () => void;
}

async function subscribe(
  daemon: Daemon,
  { sessionId, client, afterSeq }: WatchRequest,
  context: HandlerContext,
): Promise<Watching> {
  const { signal, values, requestHeader } = context;
  const subscriber = await daemon.watch(sessionId, callerOf(context, client), Number(afterSeq));
  const isJson = requestHeader.get("content-type")?.includes("json");
  const gone = () => subscriber.close();
  let stay = () => {};
  subscriber.onEnd = () => {
    stay = values.get(CUT_OFF)();
  };
  signal.addEventListener("abort", gone, { once: true });
  const leave = () => {
    signal.removeEventListener("abort", gone);
    subscriber.close();
    stay();
  };
  return { subscriber, spelling: isJson ? "json" : "binary", leave };
}
