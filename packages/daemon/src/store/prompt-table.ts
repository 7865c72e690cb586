import { PromptState } from "@agentwire/api";
import { type MessageContent, messageContent } from "@agentwire/protocol/messages";
import type { Database } from "./database.ts";
import { StoreError } from "./store-error.ts";
import type { Write } from "./write.ts";

/** A prompt on its way to the disk. */
export interface NewPromptRow {
  readonly promptId: string;
  readonly sessionId: string;
  readonly key: string | null;
  /** The content as JSON. */
  readonly json: string;
  readonly client: string;
  readonly seq: number;
}

/** The write that accepts a prompt. */
export function acceptWrite({ promptId, sessionId, key, json, client, seq }: NewPromptRow): Write {
  return {
    sql: `INSERT INTO prompts (id, session_id, idempotency_key, content, client, state, seq)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
    values: [promptId, sessionId, key, json, client, PromptState.QUEUED, seq],
  };
}

/** The write that records the state of a prompt. */
export function promptStateWrite(id: string, state: PromptState): Write {
  return { sql: "UPDATE prompts SET state = ? WHERE id = ?", values: [state, id] };
}

/** The prompt that was accepted under a key, and the number of its event. */
export function promptOfKey(
  db: Database,
  sessionId: string,
  key: string,
): { readonly promptId: string; readonly seq: number } | undefined {
  return db
    .statement("SELECT id AS promptId, seq FROM prompts WHERE session_id = ? AND idempotency_key = ?")
    .get(sessionId, key) as unknown as { promptId: string; seq: number } | undefined;
}

/** The prompts of a session that no turn has begun with, oldest first; what they say is not read. */
export function waitingPrompts(
  db: Database,
  sessionId: string,
): readonly { readonly id: string; readonly bytes: number }[] {
  return db
    .statement(
      `SELECT id, octet_length(content) AS bytes FROM prompts WHERE session_id = ? AND state = ? ORDER BY seq`,
    )
    .all(sessionId, PromptState.QUEUED) as unknown as { id: string; bytes: number }[];
}

/** What a prompt says; throws a `StoreError` if that can't be read. */
export function promptContent(db: Database, id: string): MessageContent {
  const row = db.statement("SELECT content FROM prompts WHERE id = ?").get(id) as
    | { readonly content: string }
    | undefined;
  const content = row && parsed(row.content);
  if (content !== undefined && messageContent.accepts(content)) return content;
  throw new StoreError("corrupt", `prompt ${id} is damaged in the store: send it again`);
}

/** How much of a waiting prompt is shown. */
const SHOWN_CHARS = 1000;

/** The beginning of the text of a prompt; a long one is never read as a whole by this process. */
export function promptText(db: Database, id: string): string {
  const row = db
    .statement(
      `SELECT substr(CASE WHEN NOT json_valid(content) THEN '' WHEN json_type(content) = 'text' THEN content ->> '$' ELSE
         (SELECT group_concat(value ->> '$.text', char(10)) FROM json_each(content) WHERE value ->> '$.type' = 'text') END,
       1, ${SHOWN_CHARS + 1}) AS text FROM prompts WHERE id = ?`,
    )
    .get(id) as { readonly text: string | null } | undefined;
  const text = row?.text ?? "";
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
