import type { Database } from "./database.ts";

/** Records that a session is in use, creating its row if needed. */
export function touchSession(database: Database, sessionId: string): void {
  const now = new Date().toISOString();
  database
    .statement(
      `INSERT INTO sessions (id, created_at, updated_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
    )
    .run(sessionId, now, now);
}

/** The sessions with waiting prompts, longest-waiting first. */
export function sessionsWithPrompts(database: Database): readonly string[] {
  return database
    .statement("SELECT session_id FROM queue GROUP BY session_id ORDER BY min(seq)")
    .all()
    .map((row) => String((row as { session_id: unknown }).session_id));
}
