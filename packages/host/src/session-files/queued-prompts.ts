import { INTERRUPTED, parentOf } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Conversation } from "./chain.ts";
import { blocksOf, type Entry, isMessage, isSidechain } from "./entry.ts";

/** Prompts that arrived after the last message and are attached to it, except those that another branch continues. */
export function trailingPrompts(stored: readonly Entry[], { entries, leaf, byUuid }: Conversation): Entry[] {
  if (!leaf) return [];
  const taken = leadingElsewhere(stored, new Set(entries.map(({ uuid }) => uuid)));
  const following = new Set([leaf.uuid]);
  const prompts: Entry[] = [];
  for (const entry of stored) {
    const parents = [entry, byUuid.get(entry.uuid) ?? entry].map(parentOf);
    if (isMessage(entry) || !parents.some((parent) => following.has(parent ?? ""))) continue;
    following.add(entry.uuid);
    if (queuedPrompt(entry) && !taken.has(entry.uuid)) prompts.push(entry);
  }
  return prompts;
}

/** Turns the prompts that were accepted during a turn, and that a reply follows, into messages. */
export function withQueuedPrompts(entries: readonly Entry[], trailing: readonly Entry[]): Entry[] {
  const all = [...entries, ...trailing];
  const counted = new Set([...answeredEntries(entries), ...trailing]);
  const known = new Set(all.map(({ uuid }) => uuid));
  return all.map((entry) => {
    const prompt = queuedPrompt(entry);
    if (!prompt || !counted.has(entry)) return entry;
    const { source_uuid, isMeta, origin } = prompt;
    const uuid = typeof source_uuid === "string" && source_uuid !== "" ? source_uuid : entry.uuid;
    if (uuid !== entry.uuid && known.has(uuid)) return entry;
    known.add(uuid);
    return {
      type: "user",
      uuid,
      sessionId: entry.sessionId,
      timestamp: entry.timestamp,
      message: { role: "user", content: prompt.prompt },
      isMeta: Boolean(isMeta),
      isQueuedCommand: true,
      isSidechain: entry.isSidechain,
      teamName: entry.teamName,
      ...(isJsonObject(origin) && { origin }),
    };
  });
}

function queuedPrompt({ type, attachment }: Entry): JsonObject | undefined {
  if (type !== "attachment" || !isJsonObject(attachment) || attachment.type !== "queued_command")
    return undefined;
  return typeof attachment.prompt === "string" || Array.isArray(attachment.prompt) ? attachment : undefined;
}

/** The lines whose next message is a reply, not another prompt. */
function answeredEntries(entries: readonly Entry[]): ReadonlySet<Entry> {
  const answered = new Set<Entry>();
  let next: "reply" | "prompt" | undefined;
  for (const entry of entries.toReversed()) {
    if (next === "reply") answered.add(entry);
    if (entry.type === "assistant" || blocksOf(entry, "tool_result").length > 0 || isInterrupt(entry))
      next = "reply";
    else if (entry.type === "user" && !entry.isMeta && !entry.isCompactSummary) next = "prompt";
  }
  return answered;
}

/** The lines that lead to a message outside the conversation; none is visited twice. */
function leadingElsewhere(stored: readonly Entry[], onChain: ReadonlySet<string>): ReadonlySet<string> {
  const byUuid = new Map(stored.map((entry) => [entry.uuid, entry]));
  const leading = new Set<string>();
  for (const message of stored) {
    if (!isMessage(message) || isSidechain(message) || onChain.has(message.uuid)) continue;
    let entry = byUuid.get(parentOf(message) ?? "");
    while (entry && !onChain.has(entry.uuid) && !leading.has(entry.uuid)) {
      leading.add(entry.uuid);
      entry = byUuid.get(parentOf(entry) ?? "");
    }
  }
  return leading;
}

function isInterrupt({ type, message }: Entry): boolean {
  const content = type === "user" && isJsonObject(message) ? message.content : undefined;
  if (typeof content === "string") return content.startsWith(INTERRUPTED);
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => isJsonObject(block) && String(block.text).startsWith(INTERRUPTED));
}
