import type { HandlerContext } from "@connectrpc/connect";
import { IDENTITY, type Identity } from "../access/identity.ts";

/** The header in which a client says what it calls itself. */
export const CLIENT_HEADER = "agentwire-client";
const MAX_NAME = 100;

/** What a client calls itself, for events that say who did something; and who it is, where it came by a token of its own. */
export function callerOf({ requestHeader, values }: HandlerContext, claimed = ""): string {
  return clientName(claimed || (requestHeader.get(CLIENT_HEADER) ?? ""), values.get(IDENTITY));
}

/** The same, given what it calls itself. */
export function clientName(claimed: string, { name }: Identity): string {
  const short = claimed.slice(0, MAX_NAME) || "a client";
  return name === "" ? short : `${short} (${name})`;
}
