import { type ContentBlock, contentText } from "@agentwire/protocol/messages";
import type { Prompt } from "../prompt.ts";

/** The separator of prompts that are injected together. */
const BREAK = "\n\n";

/** Several prompts as one message, their texts separated by empty lines; other blocks keep their positions. */
export function concatenated(prompts: readonly Prompt[]): string | readonly ContentBlock[] {
  if (prompts.every((prompt) => typeof prompt.content === "string"))
    return prompts.map((prompt) => prompt.content).join(BREAK);
  const blocks: ContentBlock[] = [];
  for (const { content } of prompts) {
    const [first, ...rest] = typeof content === "string" ? [text(content)] : content;
    const last = blocks.at(-1);
    if (!first) continue;
    if (last?.type === "text" && first.type === "text")
      blocks.splice(-1, 1, text(`${last.text}${BREAK}${first.text}`), ...rest);
    else blocks.push(first, ...rest);
  }
  return blocks;
}

/** The text of all prompts, joined. */
export function concatenatedText(prompts: readonly Prompt[]): string {
  return prompts
    .map(({ content }) => contentText(content))
    .filter((words) => words !== "")
    .join(BREAK);
}

const text = (words: string): ContentBlock => ({ type: "text", text: words });

/**
 * A prompt in which results without an open call are converted to text: the agent runs its tools itself, so a host's result
 * usually belongs to no call of the conversation, and the API would refuse it. Its content is kept.
 */
export function withoutOrphans(prompt: Prompt, openCalls: ReadonlySet<string>): Prompt {
  const { content } = prompt;
  if (typeof content === "string" || !content.some(({ type }) => type === "tool_result")) return prompt;
  return { ...prompt, content: content.flatMap((block) => asText(block, openCalls)) };
}

function asText(block: ContentBlock, openCalls: ReadonlySet<string>): readonly ContentBlock[] {
  if (block.type !== "tool_result" || openCalls.has(block.tool_use_id)) return [block];
  const { tool_use_id, content } = block;
  const [texts, others] = typeof content === "string" ? [[content], []] : parted(content ?? []);
  const head = `The result of a tool call (${tool_use_id}) that is not part of this conversation:`;
  return [{ type: "text", text: [head, ...texts].join("\n") }, ...others];
}

function parted(blocks: readonly ContentBlock[]): readonly [readonly string[], readonly ContentBlock[]] {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return [texts, blocks.filter(({ type }) => type !== "text")];
}
