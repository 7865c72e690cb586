import { linesTo, parentOf, relinkedParents } from "@agentwire/local/transcript";
import { isJsonObject } from "@agentwire/protocol";
import { type Entry, isMessage, isSidechain } from "./entry.ts";
import { withParallelCalls } from "./parallel-calls.ts";

/** The conversation that a transcript ends with, and the line it ends at. */
export interface Conversation {
  readonly entries: readonly Entry[];
  readonly leaf: Entry | undefined;
  /** Every line by its id; messages that a summary preserved are in their new position. */
  readonly byUuid: ReadonlyMap<string, Entry>;
}

/** Links the lines of a transcript to the conversation as it ended; other branches are left out. */
export function newestConversation(stored: readonly Entry[]): Conversation {
  const byUuid = relinked(stored);
  const leaf = newestLeaf(byUuid) ?? newestAside(byUuid);
  const walked = leaf ? walk(leaf, byUuid) : [];
  return { entries: withParallelCalls(walked, byUuid), leaf, byUuid };
}

/** The lines that lead to a line, oldest first. */
export function walk(leaf: Entry, byUuid: ReadonlyMap<string, Entry>): Entry[] {
  return linesTo(leaf, (entry) => byUuid.get(parentOf(entry) ?? ""));
}

/** Every line by its id; messages that a summary preserved are in their new position. */
function relinked(stored: readonly Entry[]): Map<string, Entry> {
  const byUuid = new Map(stored.map((entry) => [entry.uuid, entry]));
  const moved = [...relinkedParents(byUuid)].flatMap(([uuid, parentUuid]) => {
    const entry = byUuid.get(uuid);
    return entry && parentOf(entry) !== parentUuid ? [{ ...entry, parentUuid }] : [];
  });
  for (const entry of moved) byUuid.set(entry.uuid, entry);
  return byUuid;
}

/** The last message that leads to an end of the conversation. */
function newestLeaf(byUuid: ReadonlyMap<string, Entry>): Entry | undefined {
  const lasting = [...byUuid.values()].filter(isLasting);
  return lastMessages(lasting, byUuid).next().value;
}

/** The last message before each end of the conversation, newest end first; no line is visited twice. */
function* lastMessages(
  entries: readonly Entry[],
  byUuid: ReadonlyMap<string, Entry>,
): Generator<Entry, undefined> {
  const followed = new Set(entries.map(parentOf));
  const seen = new Set<Entry>();
  for (const end of entries.toReversed()) {
    if (followed.has(end.uuid)) continue;
    for (let entry: Entry | undefined = end; entry && !seen.has(entry); ) {
      seen.add(entry);
      if (isMessage(entry)) {
        yield entry;
        break;
      }
      entry = byUuid.get(parentOf(entry) ?? "");
    }
  }
  return undefined;
}

/** If no lasting lines are left, as in the transcript of a subagent: the last message that leads to any end. */
function newestAside(byUuid: ReadonlyMap<string, Entry>): Entry | undefined {
  const messages = [...lastMessages([...byUuid.values()], byUuid)];
  return messages.find((entry) => !isSidechain(entry) && !entry.isMeta) ?? messages[0];
}

function isLasting(entry: Entry): boolean {
  const { type, attachment } = entry;
  if (isSidechain(entry) || type === "progress") return false;
  return !(type === "attachment" && isJsonObject(attachment) && attachment.type === "fork_briefing");
}
