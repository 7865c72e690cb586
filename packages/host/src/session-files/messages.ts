import { isJsonObject } from "@agentwire/protocol";
import type { GetSessionMessagesOptions, SessionMessage } from "../sdk/sessions.ts";
import { newestConversation, walk } from "./chain.ts";
import { type Entry, isMessage, isSidechain } from "./entry.ts";
import { trailingPrompts, withQueuedPrompts } from "./queued-prompts.ts";

/** Messages that another program wrote in the user's place are part of the conversation too. */
const SPEAKERS: ReadonlySet<unknown> = new Set(["channel", "observer", "observer-activity", "peer"]);

/** The tool call that started a subagent. */
export interface SubagentLinks {
  readonly toolUseId?: string | undefined;
  readonly parentAgentId?: string | undefined;
}

/** The messages of a session, from the lines of its transcript. */
export function conversationMessages(
  stored: readonly Entry[],
  options: GetSessionMessagesOptions,
): SessionMessage[] {
  const conversation = newestConversation(stored);
  const said = withQueuedPrompts(conversation.entries, trailingPrompts(stored, conversation)).filter(
    (entry) => {
      if (!isMessage(entry) && !(entry.type === "system" && options.includeSystemMessages)) return false;
      return !isSidechain(entry) && !(entry.isMeta && !isSpoken(entry));
    },
  );
  return page(
    said.map((entry) => toMessage(entry, {})),
    options,
  );
}

/** The messages of a subagent, from the lines of its transcript. */
export function subagentMessages(
  stored: readonly Entry[],
  links: SubagentLinks,
  options: { readonly limit?: number; readonly offset?: number },
): SessionMessage[] {
  const linked = stored.filter((entry) => isMessage(entry) || entry.type === "attachment");
  const last = linked.findLast(isMessage);
  const chain = last ? walk(last, new Map(linked.map((entry) => [entry.uuid, entry]))) : [];
  const said = withQueuedPrompts(chain, []).filter(isMessage);
  return page(
    said.map((entry) => toMessage(entry, links)),
    options,
  );
}

/** A part of a list; a limit of zero means no limit. */
export function page<T>(
  items: readonly T[],
  { limit, offset = 0 }: { limit?: number; offset?: number },
): T[] {
  const start = Math.max(offset, 0);
  return items.slice(start, limit !== undefined && limit > 0 ? start + limit : undefined);
}

const isSpoken = ({ origin }: Entry) => isJsonObject(origin) && SPEAKERS.has(origin.kind);

/** Besides the documented fields, includes those that distinguish generated messages from typed ones. */
function toMessage(entry: Entry, { toolUseId, parentAgentId }: SubagentLinks): SessionMessage {
  const { type, uuid, sessionId, message, timestamp, origin } = entry;
  const made =
    entry.isMeta === true || entry.isCompactSummary === true || entry.isVisibleInTranscriptOnly === true;
  const read = {
    type,
    uuid,
    session_id: sessionId,
    message,
    parent_tool_use_id: toolUseId ?? null,
    parent_agent_id: parentAgentId ?? null,
    ...(entry.isCompactSummary === true && { isCompactSummary: true }),
    ...(made && { is_meta: true }),
    ...(entry.isQueuedCommand === true && { isQueuedCommand: true }),
    timestamp,
    ...(isJsonObject(origin) && { origin }),
  };
  return read as SessionMessage;
}
