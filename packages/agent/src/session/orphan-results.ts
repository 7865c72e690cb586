import type { ContentBlock } from "@agentwire/protocol";
import type { Prompt } from "./inbox.ts";

/**
 * A prompt in which results of calls that nobody waits for are texts: the agent runs its tools itself, so what a host sends as a
 * result mostly answers no call of the conversation, and the API would refuse it. What it says is not lost.
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
