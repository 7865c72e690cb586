import { Malformed, parseLine } from "@agentwire/protocol";
import { Chain } from "../chain.ts";
import { type Entry, toEntry } from "../entry.ts";
import { toSession } from "../load.ts";
import type { LoadedSession } from "../transcript.ts";
import type { Database } from "./database.ts";

/** Reads what a session still knows of its conversation; undefined if that is nothing. */
export function loadConversation(database: Database, sessionId: string): LoadedSession | undefined {
  const entries = database
    .statement("SELECT line FROM lines WHERE session_id = ? AND agent_id = '' AND is_past = 0 ORDER BY seq")
    .all(sessionId)
    .flatMap((row) => entryOf(String((row as { line: unknown }).line)));
  const kept = new Chain(entries).newest();
  if (kept.length === 0) return undefined;
  const session = toSession(sessionId, { entries, title: undefined }, kept, []);
  return { ...session, promptIds: promptIds(database, sessionId) };
}

function entryOf(text: string): readonly Entry[] {
  const line = parseLine(text);
  const entry = line instanceof Malformed ? undefined : toEntry(line);
  return entry ? [entry] : [];
}

/** A prompt is known again even if a summary has taken its place. */
function promptIds(database: Database, sessionId: string): ReadonlySet<string> {
  const rows = database
    .statement("SELECT uuid FROM lines WHERE session_id = ? AND agent_id = '' AND type = 'user'")
    .all(sessionId);
  return new Set(rows.map((row) => String((row as { uuid: unknown }).uuid)));
}
