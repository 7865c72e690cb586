import { PromptState } from "@agentwire/api";
import { contentText, messageContent } from "@agentwire/protocol/messages";
import type { NodeWrite, Snapshot } from "../nodes.ts";
import { SESSION_COLUMNS, SESSION_FIELDS } from "../session-record.ts";
import { type CommonWrite, commonStatements } from "../statements.ts";
import { SHOWN_CHARS } from "../stored-prompt.ts";
import type { NewPromptRow, Write } from "../write.ts";
import type { PgStatement } from "./connection.ts";
import type { rowsOf } from "./packed-events.ts";
import { forgetTexts, indexTexts } from "./search-index.ts";

/** Writes that are one statement each; events are combined, and the audit log is chained. */
export type Single = Exclude<AnyWrite, { readonly type: "appendEvent" | "audit" }>;
/** Everything that a node writes. */
export type AnyWrite = Write | NodeWrite;

const sql = (text: string, ...values: unknown[]): PgStatement => ({ text, values });

const common = (write: CommonWrite) =>
  commonStatements(write).map(({ sql: text, values }) =>
    sql(numbered(text), ...values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))),
  );

const NUMBERED = new Map<string, string>();

/** Numbers the parameters of a statement, as this server requires. */
function numbered(text: string): string {
  let known = NUMBERED.get(text);
  if (known === undefined) {
    let count = 0;
    known = text.replace(/\?/g, () => `$${++count}`);
    NUMBERED.set(text, known);
  }
  return known;
}

/** The statement that adds any number of event rows: their bodies are one value, from which each row takes its part. */
export function appendRows(rows: ReturnType<typeof rowsOf>): PgStatement {
  let from = 1;
  const starts = rows.map(({ body }) => {
    const start = from;
    from += body.length;
    return start;
  });
  return sql(
    APPEND_ROWS,
    rows.map(({ sessionId }) => sessionId),
    rows.map(({ seq }) => seq),
    rows.map(({ deltaOf }) => deltaOf ?? null),
    rows.map(({ sum }) => sum),
    starts,
    rows.map(({ body }) => body.length),
    rows.map(({ packed }) => packed),
    Buffer.concat(rows.map(({ body }) => body)),
  );
}

/** The SQL for a write; `node` is the one where sessions start, and `isShared` tells which folders other nodes have too. */
export function statementsOf(
  write: Single,
  node: string,
  isShared: (cwd: string) => boolean,
): readonly PgStatement[] {
  switch (write.type) {
    case "keepLine":
    case "dropLines":
      // Lines are stored on this machine.
      return [];
    case "addSession":
      return [
        sql(
          ADD_SESSION,
          ...SESSION_FIELDS.map((field) => write.record[field]),
          ...[node, isShared(write.record.cwd) ? "shared" : "pinned"],
        ),
      ];
    case "acceptPrompt": {
      const { promptId, sessionId, key, json, client, seq } = write.prompt;
      const shown = shownOf(write.prompt);
      return [sql(ACCEPT_PROMPT, promptId, sessionId, key, json, shown, client, PromptState.QUEUED, seq)];
    }
    case "indexTexts":
      return indexTexts(write.sessionId, write.upTo, write.texts);
    case "prune":
      return [forgetTexts(write.sessionId, write.upTo), ...common(write)];
    case "clearSession":
      return [...clearOwn(write.sessionId), ...common(write)];
    case "keepSnapshot":
      return keepSnapshot(write.sessionId, node, write.snapshot);
    case "claimSnapshots":
      return [sql("UPDATE snapshots SET node = $2 WHERE session_id = $1", write.sessionId, node)];
    case "appendTranscript":
      return [sql(APPEND_TRANSCRIPT, write.agentSession, write.subpath, write.lines)];
    default:
      return common(write);
  }
}

const APPEND_ROWS = `
INSERT INTO events (session_id, seq, delta_of, sum, packed, body)
SELECT s, n, d, c, p, substring($8::bytea FROM f FOR l)
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[], $7::int[]) AS e(s, n, d, c, f, l, p)`;
const ADD_SESSION = `INSERT INTO sessions (${SESSION_FIELDS.map((field) => SESSION_COLUMNS[field]).join(", ")}, owner, workspace)
VALUES (${[...SESSION_FIELDS, "owner", "workspace"].map((_, at) => `$${at + 1}`).join(", ")})`;
const KEEP_SNAPSHOT = `
INSERT INTO snapshots (session_id, node, commit, head, branch, whole, prefix, pack)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const APPEND_TRANSCRIPT = `
INSERT INTO transcripts (agent_session, subpath, line)
SELECT $1, $2, t.line FROM unnest($3::text[]) WITH ORDINALITY AS t(line, place) ORDER BY place`;
const ACCEPT_PROMPT = `
INSERT INTO prompts (id, session_id, idempotency_key, content, shown, client, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** The beginning of a prompt's text, plus one character if there is more. */
export function shownOf({ json }: Pick<NewPromptRow, "json">): string {
  const content: unknown = JSON.parse(json);
  return messageContent.accepts(content) ? contentText(content).slice(0, SHOWN_CHARS + 1) : "";
}

function keepSnapshot(
  sessionId: string,
  node: string,
  { commit, head, branch, isWhole, pack, prefix }: Snapshot,
): readonly PgStatement[] {
  return [
    ...(isWhole ? [sql("DELETE FROM snapshots WHERE session_id = $1", sessionId)] : []),
    sql(KEEP_SNAPSHOT, sessionId, node, commit, head, branch, isWhole, prefix, Buffer.from(pack)),
    sql("UPDATE sessions SET workspace = 'git' WHERE id = $1 AND workspace = 'pinned'", sessionId),
  ];
}

/** Deletes what only this store has of a session; the row determines which transcripts belong to it. */
function clearOwn(id: string): readonly PgStatement[] {
  return [
    sql(
      `DELETE FROM transcripts WHERE agent_session IN (SELECT agent_session_id FROM sessions WHERE id = $1
       UNION SELECT $1) AND NOT EXISTS (SELECT FROM sessions WHERE id <> $1 AND agent_session_id = agent_session)`,
      id,
    ),
    ...["texts", "snapshots"].map((table) => sql(`DELETE FROM ${table} WHERE session_id = $1`, id)),
  ];
}
