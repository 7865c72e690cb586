import type { Handlers, RequestContext } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";

type HostHandlers = Handlers<typeof hostRequests>;
type AnyHandler = (request: never, context: RequestContext) => unknown;

/** Wraps every handler; `wrap` gets the subtype, a function that computes the answer, and the request. */
export function wrapHandlers(
  handlers: HostHandlers,
  wrap: (subtype: string, answer: () => unknown, request: object) => unknown,
): HostHandlers {
  const wrapped = Object.entries(handlers).map(([subtype, handle]: [string, AnyHandler]) => [
    subtype,
    (request: never, context: RequestContext) => wrap(subtype, () => handle(request, context), request),
  ]);
  return Object.fromEntries(wrapped);
}
