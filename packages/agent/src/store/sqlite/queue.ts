import type { Prompt } from "../../prompt.ts";
import type { PromptQueue } from "../store.ts";
import type { Database } from "./database.ts";
import { touchSession } from "./sessions.ts";

/** The waiting prompts of a session in a database. */
export function promptQueue(database: Database, sessionId: string): PromptQueue {
  return {
    waiting: () =>
      database
        .statement("SELECT prompt FROM queue WHERE session_id = ? ORDER BY seq")
        .all(sessionId)
        // Written below, by this program.
        .map((row) => JSON.parse(String((row as { prompt: unknown }).prompt)) as Prompt),
    knows: (uuid) =>
      database.statement("SELECT 1 FROM lines WHERE session_id = ? AND uuid = ?").get(sessionId, uuid) !==
      undefined,
    keep(prompt) {
      database.transaction(() => {
        touchSession(database, sessionId);
        database
          .statement("INSERT OR IGNORE INTO queue (session_id, uuid, prompt) VALUES (?, ?, ?)")
          .run(sessionId, prompt.uuid, JSON.stringify(prompt));
      });
    },
    forget(uuid) {
      try {
        forgetPrompt(database, sessionId, uuid);
      } catch {
        // A prompt that stays in the queue is answered again after a restart, which is better than failing now.
      }
    },
  };
}

/** Removes a prompt from the queue, if it is there. */
export function forgetPrompt(database: Database, sessionId: string, uuid: string): void {
  database.statement("DELETE FROM queue WHERE session_id = ? AND uuid = ?").run(sessionId, uuid);
}
