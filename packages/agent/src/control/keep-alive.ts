import type { AgentMessage, Handlers } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { wrapHandlers } from "./wrap-handlers.ts";

const INTERVAL_MS = 30_000;

/** Wraps handlers so that the host receives keep-alive messages while one of them takes long. */
export function withKeepAlive(
  handlers: Handlers<typeof hostRequests>,
  send: (message: AgentMessage) => void,
): Handlers<typeof hostRequests> {
  return wrapHandlers(handlers, (_subtype, answer) => {
    const answered = answer();
    if (!(answered instanceof Promise)) return answered;
    const timer = setInterval(() => send({ type: "keep_alive" }), INTERVAL_MS).unref();
    const stop = () => clearInterval(timer);
    answered.then(stop, stop);
    // The same promise, not one derived from it: what follows from a request must not overtake its answer.
    return answered;
  });
}
