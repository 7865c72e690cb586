import type { Handlers, hostRequests, RequestContext } from "@agentwire/protocol";

type HostHandlers = Handlers<typeof hostRequests>;
type AnyHandler = (request: never, context: RequestContext) => unknown;

/** Puts something around every handler: it gets the subtype and the way to the answer. */
export function around(
  handlers: HostHandlers,
  wrap: (subtype: string, answer: () => unknown) => unknown,
): HostHandlers {
  const wrapped = Object.entries(handlers).map(([subtype, handle]: [string, AnyHandler]) => [
    subtype,
    (request: never, context: RequestContext) => wrap(subtype, () => handle(request, context)),
  ]);
  return Object.fromEntries(wrapped);
}
