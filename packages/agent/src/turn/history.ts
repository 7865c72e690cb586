import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "../model/model.ts";
import { INTERRUPTED_CALL } from "../store/tool-pairs.ts";
import { type BlockPosition, blockAt } from "./rejected-blocks.ts";

/** A message of the conversation, with the transcript lines that store it. */
export interface HistoryMessage extends ModelMessage {
  readonly uuids: readonly string[];
}

/**
 * The conversation for the model. Whatever is added in whatever order, the API accepts it: adjacent messages of one role are
 * joined, nothing is empty, and every tool call has its result right after the reply that made it.
 */
export class History {
  #messages: HistoryMessage[] = [];
  readonly #remarks: ContentBlock[] = [];

  constructor(messages: readonly HistoryMessage[] = []) {
    this.replace(messages);
  }

  get messages(): readonly HistoryMessage[] {
    return this.#messages;
  }

  /** The calls of the last reply that have no result yet. */
  get openCalls(): ReadonlySet<string> {
    const last = this.#messages.at(-1);
    const blocks = last?.role === "assistant" ? blocksOf(last.content) : [];
    return new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
  }

  /** Whether a line is part of the last message. */
  ends(uuid: string): boolean {
    return this.#messages.at(-1)?.uuids.includes(uuid) === true;
  }

  /** Adds to the last message if the role is the same, otherwise starts a new one. */
  add(role: ModelMessage["role"], content: ModelMessage["content"], ...uuids: readonly string[]): void {
    this.#add(role, content, uuids);
    if (role === "user" && this.#remarks.length > 0) this.#add(role, this.#remarks.splice(0), []);
  }

  /**
   * Adds texts for the model to the next user message, because the conversation may currently be at a point where none can be
   * added.
   */
  remark(texts: readonly string[]): void {
    this.#remarks.push(...texts.map(reminder));
  }

  #add(role: ModelMessage["role"], content: ModelMessage["content"], uuids: readonly string[]): void {
    const added = role === "user" ? this.#answering(blocksOf(content)) : blocksOf(content);
    if (added.length === 0) return;
    const last = this.#messages.at(-1);
    if (last?.role === role) {
      const blocks = [...blocksOf(last.content), ...added];
      this.#messages.splice(-1, 1, { role, content: blocks, uuids: [...last.uuids, ...uuids] });
    } else {
      // Plain text stays a string, as in most prompts.
      const isPlain = typeof content === "string" && added.length === 1;
      this.#messages.push({ role, content: isPlain ? content : added, uuids });
    }
  }

  /** Replaces blocks that the provider refuses with a note and returns them; thinking is removed without a note. */
  leaveOut(places: readonly BlockPosition[], note: ContentBlock): readonly ContentBlock[] {
    const refused = places
      .map((place) => blockAt(this.#messages, place))
      .filter((block) => block !== undefined);
    for (const index of new Set(places.map(({ message }) => message))) {
      const message = this.#messages[index];
      if (!message) continue;
      const here = places.filter((place) => place.message === index);
      const content = blocksOf(message.content).flatMap((block, i) =>
        withNote(
          block,
          here.filter((place) => place.block === i),
          note,
        ),
      );
      if (content.length > 0) this.#messages.splice(index, 1, { ...message, content });
    }
    return refused;
  }

  /** Replaces all messages. */
  replace(messages: readonly HistoryMessage[]): void {
    this.#messages = [];
    for (const { role, content, uuids } of messages) this.#add(role, content, uuids);
  }

  /**
   * The content after a reply: first one result for each of its calls, or a substitute if it is missing; results for unknown
   * calls are dropped.
   */
  #answering(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
    if (blocks.length === 0) return blocks;
    const others = blocks.filter((block) => block.type !== "tool_result");
    const reply = this.#messages.at(-1);
    // All earlier calls already have their results.
    if (reply?.role !== "assistant") return others;
    const said = withoutLastThoughts(blocksOf(reply.content));
    if (said.length === 0) this.#messages.pop();
    else if (said.length < reply.content.length) this.#messages.splice(-1, 1, { ...reply, content: said });
    const calls = new Set(said.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
    const results = blocks.filter((block) => block.type === "tool_result" && calls.delete(block.tool_use_id));
    return [...results, ...[...calls].map(interrupted), ...others];
  }
}

/** Content as blocks, in whichever form it was given; blank texts are left out, because the API refuses them. */
export function blocksOf(content: ModelMessage["content"]): readonly ContentBlock[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [{ type: "text", text: content }];
  return content.some(isBlank) ? content.filter((block) => !isBlank(block)) : content;
}

/** A text for the model that the user did not write. */
export function reminder(text: string): ContentBlock {
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}

/** A result keeps its position after its call, whatever remains of it. */
function withNote(
  block: ContentBlock,
  places: readonly BlockPosition[],
  note: ContentBlock,
): readonly ContentBlock[] {
  if (places.length === 0) return [block];
  if (block.type === "thinking" || block.type === "redacted_thinking") return [];
  if (block.type !== "tool_result") return [note];
  const { content } = block;
  const isWhole = !Array.isArray(content) || places.some(({ inner }) => inner === undefined);
  const isNoted = (part: number) => places.some(({ inner }) => inner === part);
  return [{ ...block, content: isWhole ? [note] : content.map((part, i) => (isNoted(i) ? note : part)) }];
}

const isBlank = (block: ContentBlock) => block.type === "text" && block.text.trim() === "";

function withoutLastThoughts(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const last = blocks.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking");
  return last === blocks.length - 1 ? blocks : blocks.slice(0, last + 1);
}

const interrupted = (id: string): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: INTERRUPTED_CALL,
  is_error: true,
});
