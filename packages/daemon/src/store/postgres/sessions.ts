import { Disposition, PromptState, SessionStatus } from "@agentwire/api";
import {
  type Listing,
  listingOf,
  pageSizeOf,
  patternsOf,
  placeOf,
  type RankedSession,
  type SessionQuery,
} from "../session-query.ts";
import { SESSION_COLUMNS, SESSION_FIELDS, type SessionRecord } from "../session-record.ts";
import type { SessionSummary, StoredSession, StoredSessions } from "../store.ts";
import { type QuestionRow, storedQuestion } from "../stored-question.ts";
import type { Read } from "./connection.ts";
import { firstSeqOf, lastSeqOf } from "./logs.ts";
import { amountOf, SUMS, type Sums } from "./usage.ts";

const FIELDS = SESSION_FIELDS.map((field) => `${SESSION_COLUMNS[field]} AS "${field}"`).join(", ");

/** The sessions that a node manages: its own, and those of nodes that are gone or were taken over. */
const MANAGED = "(owner = $1 OR NOT EXISTS (SELECT FROM nodes WHERE id = owner AND taken_by IS NULL))";

/** Reads the sessions of a database, as one of its nodes. */
export function storedSessions(read: Read, node: string): StoredSessions {
  const first = async (where: string, ...values: readonly unknown[]) =>
    (await read<SessionRecord>(`SELECT ${FIELDS} FROM sessions WHERE ${where}`, ...values))[0];
  const ids = async (sql: string, ...values: readonly unknown[]) =>
    (await read<{ id: string }>(sql, ...values)).map(({ id }) => id);
  return {
    find: (id) => first("id = $1", id),
    knownToAgents: (wanted) =>
      ids(
        `SELECT w.id AS id FROM unnest($1::text[]) AS w(id) WHERE w.id IN (SELECT agent_session_id FROM sessions)
         OR w.id IN (SELECT id FROM sessions)`,
        wanted,
      ),
    findByKey: (key) => first("idempotency_key = $1", key),
    findByWorktree: (path) =>
      first(`cwd = $1 AND worktree LIKE '%"state":"open"%' AND deleted_ms IS NULL`, path),
    load: (id) => loadSession(read, id, node),
    list: (query) => listSessions(read, query),
    summaries: (wanted) => summariesOf(read, wanted),
    count: async () => {
      const [row] = await read<{ n: number }>("SELECT count(*) AS n FROM sessions WHERE deleted_ms IS NULL");
      return row?.n ?? 0;
    },
    unfinished: () =>
      ids(
        `SELECT id FROM sessions WHERE owner = $4 AND (status NOT IN ($1, $2) OR input_holder <> ''
           OR id IN (SELECT session_id FROM questions WHERE disposition = $3)
           OR id IN (SELECT session_id FROM prompts WHERE state IN (${PromptState.QUEUED}, ${PromptState.STARTED})))`,
        ...[SessionStatus.IDLE, SessionStatus.FAILED, Disposition.OPEN, node],
      ),
    deletedBefore: (ms) => ids(`SELECT id FROM sessions WHERE ${MANAGED} AND deleted_ms < $2`, node, ms),
    idsAfter: (id, limit) =>
      ids(`SELECT id FROM sessions WHERE ${MANAGED} AND id > $2 ORDER BY id LIMIT $3`, ...[node, id, limit]),
  };
}

async function loadSession(read: Read, id: string, node: string): Promise<StoredSession | undefined> {
  const [[record], [last], prompts, questions, [used], [totals]] = await Promise.all([
    read<SessionRecord>(`SELECT ${FIELDS} FROM sessions WHERE id = $1 AND owner = $2`, id, node),
    read<{ seq: number }>(`SELECT ${lastSeqOf("$1")} AS seq`, id),
    read<{ id: string; state: PromptState; bytes: number }>(
      `SELECT id, state, octet_length(content) AS bytes FROM prompts
       WHERE session_id = $1 AND state IN (${PromptState.QUEUED}, ${PromptState.STARTED}) ORDER BY coalesce(place, seq)`,
      id,
    ),
    read<QuestionRow>(
      `SELECT id, session_id AS "sessionId", seq, disposition, body FROM questions
       WHERE disposition = $1 AND session_id = $2 ORDER BY seq`,
      ...[Disposition.OPEN, id],
    ),
    read<Sums>(`SELECT '' AS key, ${SUMS} FROM usage WHERE session_id = $1`, id),
    read<{ seen: string }>("SELECT seen FROM usage_seen WHERE session_id = $1", id),
  ]);
  if (!record || !used) return undefined;
  const inState = (wanted: PromptState) => prompts.filter(({ state }) => state === wanted);
  return {
    record,
    lastSeq: last?.seq ?? 0,
    waiting: inState(PromptState.QUEUED).map((prompt) => ({ id: prompt.id, bytes: prompt.bytes })),
    begun: inState(PromptState.STARTED).map((prompt) => prompt.id),
    openQuestions: questions.map(storedQuestion),
    usage: amountOf(used),
    totals: totals?.seen,
  };
}

type Elsewhere = NonNullable<SessionSummary["elsewhere"]>;

async function summariesOf(read: Read, ids: readonly string[]): Promise<readonly SessionSummary[]> {
  const rows = await read<Sums & Omit<SessionSummary, "usage" | "elsewhere"> & Elsewhere>(
    `SELECT
       ${firstSeqOf("w.id")} AS "firstSeq",
       ${lastSeqOf("w.id")} AS "lastSeq",
       coalesce((SELECT model FROM usage WHERE session_id = w.id
                 ORDER BY day DESC, output_tokens DESC LIMIT 1), '') AS "lastModel",
       coalesce((SELECT owner FROM sessions WHERE id = w.id), '') AS owner,
       (SELECT count(*) FROM questions WHERE session_id = w.id AND disposition = ${Disposition.OPEN})::int AS "openQuestions",
       (SELECT count(*) FROM prompts WHERE session_id = w.id AND state = ${PromptState.QUEUED})::int AS "queuedPrompts",
       u.* FROM unnest($1::text[]) WITH ORDINALITY AS w(id, at)
     CROSS JOIN LATERAL (SELECT '' AS key, ${SUMS} FROM usage WHERE session_id = w.id) AS u ORDER BY at`,
    ids,
  );
  return rows.map(({ firstSeq, lastSeq, lastModel, owner, openQuestions, queuedPrompts, ...sums }) => ({
    firstSeq,
    lastSeq,
    lastModel,
    usage: amountOf(sums),
    elsewhere: { owner, openQuestions, queuedPrompts },
  }));
}

/** The order of attention: pinned sessions first, then questions, then sessions and turns that failed, then running turns. */
const URGENCY = `CASE WHEN pinned_ms IS NOT NULL THEN -1 ELSE CASE status WHEN ${SessionStatus.ASKING} THEN 0 WHEN ${SessionStatus.FAILED} THEN 1
  WHEN ${SessionStatus.IDLE} THEN CASE turn_failure WHEN '' THEN 3 ELSE 1 END ELSE 2 END END`;

async function listSessions(read: Read, query: SessionQuery): Promise<Listing> {
  const size = pageSizeOf(query);
  const rank = query.byAttention ? URGENCY : "0";
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (!query.includeDeleted) conditions.push("deleted_ms IS NULL");
  conditions.push(`archived_ms IS ${query.archived ? "NOT NULL" : "NULL"}`);
  if (query.cwd !== "") conditions.push(`cwd = ${given(query.cwd)}`);
  if (query.statuses.length > 0) conditions.push(`status = ANY(${given(query.statuses)}::int[])`);
  for (const pattern of patternsOf(query))
    conditions.push(`(title || ' ' || cwd || ' ' || first_prompt) ILIKE ${given(pattern)}`);
  if (query.promptedBy !== "")
    conditions.push(
      `EXISTS (SELECT 1 FROM prompts WHERE session_id = sessions.id AND starts_with(client, ${given(query.promptedBy)}))`,
    );
  const place = placeOf(query);
  if (place) {
    const [after, updatedMs, id] = place;
    const next = `${given(after)}::int, -${given(updatedMs)}::bigint, ${given(id)}`;
    conditions.push(`(${rank}, -updated_ms, id) > (${next})`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const order = `${query.byAttention ? "rank, " : ""}updated_ms DESC, id`;
  const sql = `SELECT ${FIELDS}, ${rank} AS rank FROM sessions ${where} ORDER BY ${order} LIMIT ${given(size + 1)}`;
  return listingOf(await read<RankedSession>(sql, ...values), size);
}
