import { Chain } from "../chain.ts";
import { SessionLines } from "../entry.ts";
import { toSession } from "../load.ts";
import type { LoadedSession } from "../transcript.ts";
import type { Database } from "./database.ts";

/** Reads what a session still knows of its conversation; undefined if that is nothing. */
export function loadConversation(database: Database, sessionId: string): LoadedSession | undefined {
  const lines = new SessionLines();
  const rows = database
    .statement("SELECT line FROM lines WHERE session_id = ? AND agent_id = '' AND is_past = 0 ORDER BY seq")
    .all(sessionId);
  for (const row of rows) lines.add(String((row as { line: unknown }).line));
  const kept = new Chain(lines.stored.entries).newest();
  if (kept.length === 0) return undefined;
  return toSession(sessionId, lines.stored, kept, []);
}
