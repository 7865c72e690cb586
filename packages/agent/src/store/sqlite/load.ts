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
  return toSession(sessionId, { entries, title: undefined }, kept, []);
}

function entryOf(text: string): readonly Entry[] {
  const line = parseLine(text);
  const entry = line instanceof Malformed ? undefined : toEntry(line);
  return entry ? [entry] : [];
}
