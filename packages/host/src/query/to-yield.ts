import { rawMessage } from "@agentwire/protocol";
import type { Said } from "../link/link.ts";
import type { SDKMessage } from "../sdk/messages.ts";

/** What a query gives its user for what an agent said: the object as it was on the wire; undefined for what is between host and agent. */
export function toYield(said: Said): SDKMessage | undefined {
  switch (said.type) {
    case "keep_alive":
    case "transcript_mirror":
      return undefined;
    case "system":
      // We asked for these to know when the agent rests; a user who did not must not see them.
      if (said.subtype === "session_state_changed" && said.sdk_host_only === true) return undefined;
  }
  return rawMessage(said) as SDKMessage;
}
