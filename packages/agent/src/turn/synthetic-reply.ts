import { randomUUID } from "node:crypto";
import { type ApiMessage, NO_USAGE } from "@agentwire/protocol/messages";

/** A reply that no model wrote: how the wire represents the agent's own messages. */
export function syntheticReply(
  text: string,
  stop: Pick<ApiMessage, "stop_reason" | "stop_sequence">,
): ApiMessage {
  return {
    id: randomUUID(),
    type: "message",
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text }],
    ...stop,
    usage: NO_USAGE,
  };
}
