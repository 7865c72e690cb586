import type { HandlerContext } from "@connectrpc/connect";
import { IDENTITY, type Identity } from "../access/identity.ts";

/** The header in which a client sends its name. */
export const CLIENT_HEADER = "agentwire-client";
const MAX_NAME = 100;

/** A client's name for events and the audit log: what it calls itself, plus its token or certificate if it has one. */
export function callerOf({ requestHeader, values }: HandlerContext, claimed = ""): string {
  return clientName(claimed || (requestHeader.get(CLIENT_HEADER) ?? ""), values.get(IDENTITY));
}

/** The same, given the name that it claims. */
export function clientName(claimed: string, { name }: Identity): string {
  const short = claimed.slice(0, MAX_NAME) || "a client";
  return name === "" ? short : `${short} (${name})`;
}
