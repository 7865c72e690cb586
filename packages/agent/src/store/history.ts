import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { type Entry, messageOf, queuedPrompt } from "./entry.ts";
import { addTo, type MessageBuilder } from "./message-builder.ts";
import { answerAllCalls } from "./tool-pairs.ts";
import type { LoadedMessage } from "./transcript.ts";

/** Converts the lines of a conversation to messages for the model, in a form that the API accepts even after a crash. */
export function toMessages(entries: readonly Entry[]): LoadedMessage[] {
  const drafts = joinBlocks(entries).map(withoutEmptyEnds).filter(hasContent);
  // Join replies last: by then no call between two of them lacks its result.
  const answered = answerAllCalls(joinNeighbours(drafts, "user")).filter(hasContent);
  return joinNeighbours(answered, "assistant").map(finished);
}

/** Joins the blocks of one reply: each was stored as a separate line, possibly with results in between. */
function joinBlocks(entries: readonly Entry[]): MessageBuilder[] {
  const drafts: MessageBuilder[] = [];
  let reply: MessageBuilder | undefined;
  let replyId: unknown;
  for (const entry of entries) {
    const draft = toDraft(entry);
    if (!draft) continue;
    const { id } = messageOf(entry);
    if (draft.role === "assistant" && reply && id !== undefined && id === replyId) {
      addTo(reply, draft);
      continue;
    }
    drafts.push(draft);
    if (draft.role === "assistant") {
      reply = draft;
      replyId = id;
    } else if (!isOnlyResults(draft)) reply = undefined;
  }
  return drafts;
}

function toDraft(entry: Entry): MessageBuilder | undefined {
  const queued = queuedPrompt(entry);
  if (queued !== undefined) return newDraft("user", queued, entry.uuid);
  // The agent's own messages about failed calls were never part of the conversation with the model.
  if (entry.line.isApiErrorMessage === true) return undefined;
  if (entry.type !== "user" && entry.type !== "assistant") return undefined;
  return newDraft(entry.type, messageOf(entry).content, entry.uuid);
}

function newDraft(role: MessageBuilder["role"], content: unknown, uuid: string): MessageBuilder | undefined {
  if (typeof content === "string")
    return { role, content: content.trim() === "" ? [] : content, uuids: [uuid] };
  if (!Array.isArray(content)) return undefined;
  return { role, content: content.filter(isBlock), uuids: [uuid] };
}

/** Removes what the API refuses: empty texts and unfinished thoughts at the end. */
function withoutEmptyEnds(draft: MessageBuilder): MessageBuilder {
  if (typeof draft.content === "string") return draft;
  const content = draft.content.filter((block) => !isBlank(block));
  if (draft.role === "assistant") while (isThought(content.at(-1))) content.pop();
  return { ...draft, content };
}

function joinNeighbours(drafts: readonly MessageBuilder[], role: MessageBuilder["role"]): MessageBuilder[] {
  const joined: MessageBuilder[] = [];
  for (const draft of drafts) {
    const last = joined.at(-1);
    if (draft.role === role && last?.role === role) addTo(last, draft);
    else joined.push(draft);
  }
  return joined;
}

function finished({ role, content, uuids }: MessageBuilder): LoadedMessage {
  // Blocks are returned to the API unchanged, so only their type is checked.
  return { role, content: content as string | ContentBlock[], uuids, uuid: uuids.at(-1) ?? randomUUID() };
}

const isBlock = (value: unknown): value is JsonObject =>
  isJsonObject(value) && typeof value.type === "string";

const isBlank = ({ type, text }: JsonObject) =>
  type === "text" && (typeof text !== "string" || text.trim() === "");

const isThought = (block: JsonObject | undefined) =>
  block?.type === "thinking" || block?.type === "redacted_thinking";

const isOnlyResults = ({ content }: MessageBuilder) =>
  typeof content !== "string" && content.every(({ type }) => type === "tool_result");

const hasContent = ({ content }: MessageBuilder) => content.length > 0;
