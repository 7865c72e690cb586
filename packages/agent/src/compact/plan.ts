import type { ModelMessage } from "../model/model.ts";

/** The maximum length of the messages that are kept: keeping a huge result would undo the savings of the summary. */
const MAX_KEPT_CHARS = 40_000;

/** Which messages the summary replaces and which are kept verbatim. */
export interface CompactionPlan<M extends ModelMessage> {
  readonly summarise: readonly M[];
  readonly keep: readonly M[];
}

/**
 * Splits a conversation for compaction: the last reply and everything after it are kept, so that the model can continue
 * seamlessly, and a tool call is never separated from its result. Undefined if there is nothing to summarize.
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
  // Results stay with their calls; a prompt after them has not been answered yet.
  const prompt = messages.findIndex((message, i) => i > lastReply && !holdsResults(message));
  return prompt < 0 ? messages.length : prompt;
}

const isShort = (messages: readonly ModelMessage[]) => JSON.stringify(messages).length <= MAX_KEPT_CHARS;

const holdsResults = ({ content }: ModelMessage) =>
  typeof content !== "string" && content.some(({ type }) => type === "tool_result");
