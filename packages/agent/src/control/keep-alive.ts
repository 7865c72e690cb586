import type { AgentMessage, Handlers } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { wrapHandlers } from "./wrap-handlers.ts";

const EVERY_MS = 30_000;

/** Handlers that tell the host, while one of them takes long, that the agent is still there. */
export function withKeepAlive(
  handlers: Handlers<typeof hostRequests>,
  send: (message: AgentMessage) => void,
): Handlers<typeof hostRequests> {
  return wrapHandlers(handlers, (_subtype, answer) => {
    const answered = answer();
    if (!(answered instanceof Promise)) return answered;
    const timer = setInterval(() => send({ type: "keep_alive" }), EVERY_MS).unref();
    const stop = () => clearInterval(timer);
    answered.then(stop, stop);
    // Passed on as it is: what follows from a request must not overtake its answer.
    return answered;
  });
}
