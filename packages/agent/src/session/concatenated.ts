import type { ContentBlock } from "@agentwire/protocol";
import { type Prompt, textOf } from "./inbox.ts";

/** What stands between prompts that are injected together. */
const BREAK = "\n\n";

/** Several prompts as one message, their texts with an empty line between them; other blocks stay where they are. */
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

/** All that prompts say in words, as one text. */
export function concatenatedText(prompts: readonly Prompt[]): string {
  return prompts
    .map(({ content }) => textOf(content))
    .filter((words) => words !== "")
    .join(BREAK);
}

const text = (words: string): ContentBlock => ({ type: "text", text: words });
