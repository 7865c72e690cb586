import { randomUUID } from "node:crypto";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Conversation } from "./conversation.ts";

/**
 * Tells the MessageDisplay hooks of text that is about to go out. Nobody waits for them: what they would show in its place is for
 * whoever has a screen.
 */
export function tellDisplay(
  { services: { hooks }, turnId, agent }: Conversation,
  blocks: readonly ContentBlock[],
  signal: AbortSignal,
): void {
  if (agent || !hooks.listens("MessageDisplay")) return;
  for (const block of blocks) {
    if (block.type !== "text") continue;
    const id = randomUUID();
    const facts = { turn_id: turnId, message_id: id, index: 0, final: true, delta: block.text };
    void hooks.run("MessageDisplay", facts, { signal, toolUseId: `${id}-0` });
  }
}
