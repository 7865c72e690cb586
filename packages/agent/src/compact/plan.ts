import type { ModelMessage } from "../model/model.ts";

/** How long a kept end may be: keeping a huge result would undo what the summary saves. */
const MAX_KEPT_CHARS = 40_000;

/** Which messages a summary replaces and which stay word for word. */
export interface CompactionPlan<M extends ModelMessage> {
  readonly summarise: readonly M[];
  readonly keep: readonly M[];
}

/**
 * Divides a conversation for compaction: the last reply and what follows it are kept, so that the model continues mid-thought,
 * and a tool call is never parted from its result. Undefined if there is nothing to summarise.
 */
export function planCompaction<M extends ModelMessage>(
  messages: readonly M[],
): CompactionPlan<M> | undefined {
  const cut = cutOf(messages);
  return cut > 0 ? { summarise: messages.slice(0, cut), keep: messages.slice(cut) } : undefined;
}

function cutOf(messages: readonly ModelMessage[]): number {
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  if (lastReply < 0 || isShort(messages.slice(lastReply))) return Math.max(lastReply, 0);
  // Results go where their calls go; a prompt after them still waits for its reply.
  const prompt = messages.findIndex((message, i) => i > lastReply && !holdsResults(message));
  return prompt < 0 ? messages.length : prompt;
}

const isShort = (messages: readonly ModelMessage[]) => JSON.stringify(messages).length <= MAX_KEPT_CHARS;

const holdsResults = ({ content }: ModelMessage) =>
  typeof content !== "string" && content.some(({ type }) => type === "tool_result");
