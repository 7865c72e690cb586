import type { StoredPrompts } from "../store.ts";
import { contentOf, SHOWN_CHARS, shown } from "../stored-prompt.ts";
import type { Database } from "./database.ts";

/** Reads the prompts of a database. */
export function storedPrompts(db: Database): StoredPrompts {
  return {
    ofKey: async (sessionId, key) =>
      db
        .statement("SELECT id AS promptId, seq FROM prompts WHERE session_id = ? AND idempotency_key = ?")
        .get(sessionId, key) as unknown as { promptId: string; seq: number } | undefined,
    async content(id) {
      const row = db.statement("SELECT content FROM prompts WHERE id = ?").get(id);
      return contentOf(id, row?.content as string | undefined);
    },
    async texts(ids) {
      const text = db.statement(
        `SELECT substr(CASE WHEN NOT json_valid(content) THEN '' WHEN json_type(content) = 'text' THEN content ->> '$' ELSE
           (SELECT group_concat(value ->> '$.text', char(10)) FROM json_each(content) WHERE value ->> '$.type' = 'text') END,
         1, ${SHOWN_CHARS + 1}) AS text FROM prompts WHERE id = ?`,
      );
      return ids.map((id) => shown((text.get(id)?.text as string | null | undefined) ?? ""));
    },
  };
}
