import type { JsonObject } from "@agentwire/protocol";
import { type ContentBlock, contentText } from "@agentwire/protocol/messages";
import { sliceOver } from "../event-loop.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { text, toBlock } from "./content.ts";
import type { KeepFile } from "./keep-file.ts";

/** About 25,000 tokens: the maximum share of the conversation for one result. */
const MAX_RESULT_CHARS = 100_000;
const PREVIEW_CHARS = 2_000;

/** Converts the result of `tools/call` for the model and the host. */
export async function toOutcome(result: JsonObject, server: string, keep: KeepFile): Promise<ToolOutcome> {
  const pieces: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const blocks: ContentBlock[] = [];
  for (const piece of pieces) {
    const block = await toBlock(piece, server, keep);
    // The Messages API refuses an empty text, and with it the whole conversation.
    if (block.type !== "text" || block.text !== "") blocks.push(block);
    const others = sliceOver();
    if (others) await others;
  }
  if (result.isError === true) {
    const message = contentText(blocks) || "The tool failed without saying why.";
    return { content: await bounded(message, keep), isError: true };
  }
  const { structuredContent } = result;
  if (structuredContent !== undefined && structuredContent !== null) {
    const structured = await bounded(JSON.stringify(structuredContent), keep);
    const others = blocks.filter((block) => block.type !== "text");
    const content = others.length > 0 ? [...others, text(structured)] : structured;
    return { content, data: { content, structuredContent } };
  }
  const content = await boundedBlocks(blocks, keep);
  return { content, data: content };
}

/** Truncates a text that is too long and names the file with all of it. */
export async function bounded(whole: string, keep: KeepFile): Promise<string> {
  if (whole.length <= MAX_RESULT_CHARS) return whole;
  const path = await keep(whole, "txt");
  return (
    `The result is too long to show (${whole.length} characters). All of it was saved to ${path}: ` +
    `read the parts you need from there. It begins:\n\n${whole.slice(0, PREVIEW_CHARS)}`
  );
}

async function boundedBlocks(
  blocks: readonly ContentBlock[],
  keep: KeepFile,
): Promise<readonly ContentBlock[]> {
  if (blocks.length === 0) return [text("The tool ended without a result.")];
  const whole = contentText(blocks);
  if (whole.length <= MAX_RESULT_CHARS) return blocks;
  return [text(await bounded(whole, keep)), ...blocks.filter((block) => block.type !== "text")];
}
