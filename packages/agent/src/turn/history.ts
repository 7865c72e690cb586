import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "../model/model.ts";
import { INTERRUPTED_CALL } from "../store/tool-pairs.ts";
import { type BlockPosition, blockAt } from "./rejected-blocks.ts";

/** A message of the conversation, with the lines of the transcript that it is stored as. */
export interface HistoryMessage extends ModelMessage {
  readonly uuids: readonly string[];
}

/**
 * The conversation as the model gets it. Whatever is added in whatever order, the API accepts it: neighbours of one role are one
 * message, nothing is empty, and every call of a tool is answered right after the reply that made it.
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

  /** The calls of the last reply, which have no result yet. */
  get openCalls(): ReadonlySet<string> {
    const last = this.#messages.at(-1);
    const blocks = last?.role === "assistant" ? blocksOf(last.content) : [];
    return new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
  }

  /** Whether a line is part of the last message. */
  ends(uuid: string): boolean {
    return this.#messages.at(-1)?.uuids.includes(uuid) === true;
  }

  /** Adds to the last message if the role is the same, else begins a new one. */
  add(role: ModelMessage["role"], content: ModelMessage["content"], ...uuids: readonly string[]): void {
    this.#add(role, content, uuids);
    if (role === "user" && this.#remarks.length > 0) this.#add(role, this.#remarks.splice(0), []);
  }

  /** Has the model told something as soon as it is told anything, for the conversation may stand where nothing can be said. */
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
      // A plain text stays one: it is how most prompts came.
      const isPlain = typeof content === "string" && added.length === 1;
      this.#messages.push({ role, content: isPlain ? content : added, uuids });
    }
  }

  /** Puts a note in the place of blocks that the provider refuses, and returns those; a thought goes without one. */
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

  /** What follows a reply: one result for each of its calls first, a stand-in where it is missing; results of no call are left out. */
  #answering(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
    if (blocks.length === 0) return blocks;
    const others = blocks.filter((block) => block.type !== "tool_result");
    const reply = this.#messages.at(-1);
    // Every call before this has its result already.
    if (reply?.role !== "assistant") return others;
    const said = withoutLastThoughts(blocksOf(reply.content));
    if (said.length === 0) this.#messages.pop();
    else if (said.length < reply.content.length) this.#messages.splice(-1, 1, { ...reply, content: said });
    const calls = new Set(said.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
    const results = blocks.filter((block) => block.type === "tool_result" && calls.delete(block.tool_use_id));
    return [...results, ...[...calls].map(interrupted), ...others];
  }
}

/** Content as blocks, whatever way it was given; texts without a word are left out, for the API refuses them. */
export function blocksOf(content: ModelMessage["content"]): readonly ContentBlock[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [{ type: "text", text: content }];
  return content.some(isBlank) ? content.filter((block) => !isBlank(block)) : content;
}

/** A text for the model that the user did not write. */
export function reminder(text: string): ContentBlock {
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}

/** A result keeps its place behind its call, whatever is left of it. */
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
