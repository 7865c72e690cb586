import type { HandlerContext } from "@connectrpc/connect";

const HEADER = "agentwire-client";
const MAX_NAME = 100;

/** What a client calls itself, for events that say who did something. */
export function callerOf({ requestHeader }: HandlerContext): string {
  return (requestHeader.get(HEADER) ?? "").slice(0, MAX_NAME) || "a client";
}
