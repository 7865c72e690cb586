import type { JsonObject } from "@agentwire/protocol";

/** A message for the model that is still being assembled from its lines. */
export interface MessageBuilder {
  readonly role: "user" | "assistant";
  content: string | JsonObject[];
  readonly uuids: string[];
}

/** The content of a draft as blocks. */
export const asBlocks = ({ content }: MessageBuilder): JsonObject[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Appends the content of another draft. */
export function addTo(draft: MessageBuilder, more: MessageBuilder): void {
  const content = asBlocks(draft);
  for (const block of asBlocks(more)) content.push(block);
  draft.content = content;
  draft.uuids.push(...more.uuids);
}
