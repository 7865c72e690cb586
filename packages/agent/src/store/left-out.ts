import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";

/** The type of a line that names blocks refused by the provider. */
export const LEFT_OUT_LINE = "left-out-blocks";

/** Replacements for blocks that were left out, by the block's key. */
export type LeftOutNotes = ReadonlyMap<string, ContentBlock>;

/** The transcript line that names blocks to leave out from now on. */
export function leftOutLine(blocks: readonly ContentBlock[], note: ContentBlock): JsonObject {
  return { type: LEFT_OUT_LINE, blocks: blocks.map(keyOf), note };
}

/** Adds the notes of such a line. */
export function readLeftOutLine({ blocks, note }: JsonObject, into: Map<string, ContentBlock>): void {
  if (!Array.isArray(blocks) || !isJsonObject(note) || typeof note.text !== "string") return;
  for (const key of blocks) if (typeof key === "string") into.set(key, { type: "text", text: note.text });
}

/** Replaces left-out blocks in content with their notes; thoughts are removed without a note. */
export function withoutLeftOut<C extends string | readonly ContentBlock[]>(
  content: C,
  notes: LeftOutNotes,
): C {
  if (notes.size === 0) return content;
  if (typeof content === "string") {
    const note = notes.get(keyOf({ type: "text", text: content }));
    return note?.type === "text" ? (note.text as C) : content;
  }
  const noted = content.flatMap((block): readonly ContentBlock[] => {
    const note = notes.get(keyOf(block));
    if (note && (block.type === "thinking" || block.type === "redacted_thinking")) return [];
    if (block.type !== "tool_result") return [note ?? block];
    if (note) return [{ ...block, content: [note] }];
    return [{ ...block, content: withoutLeftOut(block.content as C, notes) as typeof block.content }];
  });
  return noted as readonly ContentBlock[] as C;
}

/** A key that identifies a block even after it has been stored and reloaded. */
const keyOf = (block: ContentBlock): string =>
  createHash("sha256").update(JSON.stringify(block)).digest("hex");
