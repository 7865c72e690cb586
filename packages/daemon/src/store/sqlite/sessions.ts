import { setImmediate as nextTurn } from "node:timers/promises";
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
import type { Database, SqlValue } from "./database.ts";
import { boundsOf } from "./logs.ts";
import { openQuestionsOf } from "./questions.ts";
import { lastModelOf, usageOfSession } from "./usage.ts";

/** How many sessions are read at a time: reading the largest page at once would block other clients. */
const AT_ONCE = 50;

const SELECT_SESSIONS = `SELECT ${SESSION_FIELDS.map((field) => `${SESSION_COLUMNS[field]} AS ${field}`).join(", ")} FROM sessions`;

/** The order of attention: pinned sessions first, then questions, then sessions and turns that failed, then running turns. */
const URGENCY = `CASE WHEN pinned_ms IS NOT NULL THEN -1 ELSE CASE status WHEN ${SessionStatus.ASKING} THEN 0 WHEN ${SessionStatus.FAILED} THEN 1
  WHEN ${SessionStatus.IDLE} THEN iif(turn_failure = '', 3, 1) ELSE 2 END END`;

/** Reads the sessions of a database. */
export function storedSessions(db: Database): StoredSessions {
  const first = (where: string, ...values: readonly SqlValue[]) =>
    db.statement(`${SELECT_SESSIONS} WHERE ${where}`).get(...values) as unknown as SessionRecord | undefined;
  const ids = (sql: string, ...values: readonly SqlValue[]) =>
    db
      .statement(sql)
      .all(...values)
      .map(({ id }) => id as string);
  return {
    find: async (id) => first("id = ?", id),
    findByKey: async (key) => first("idempotency_key = ?", key),
    findByWorktree: async (path) =>
      first(`cwd = ? AND worktree LIKE '%"state":"open"%' AND deleted_ms IS NULL`, path),
    knownToAgents: async (wanted) =>
      ids(
        `SELECT value AS id FROM json_each(?) WHERE value IN (SELECT agent_session_id FROM sessions)
         OR value IN (SELECT id FROM sessions)`,
        JSON.stringify(wanted),
      ),
    async load(id) {
      const record = first("id = ?", id);
      return record && loaded(db, record);
    },
    list: async (query) => listSessions(db, query),
    async summaries(wanted) {
      const found: SessionSummary[] = [];
      for (const [at, id] of wanted.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
        const { first: firstSeq, last: lastSeq } = boundsOf(db, id);
        found.push({ firstSeq, lastSeq, usage: usageOfSession(db, id), lastModel: lastModelOf(db, id) });
      }
      return found;
    },
    count: async () =>
      Number(db.statement("SELECT count(*) AS n FROM sessions WHERE deleted_ms IS NULL").get()?.n),
    unfinished: async () =>
      ids(
        `SELECT id FROM sessions WHERE status NOT IN (?, ?) OR input_holder <> ''
         UNION SELECT session_id FROM questions WHERE disposition = ?
         UNION SELECT session_id FROM prompts WHERE state IN (${PromptState.QUEUED}, ${PromptState.STARTED})`,
        ...[SessionStatus.IDLE, SessionStatus.FAILED, Disposition.OPEN],
      ),
    deletedBefore: async (ms) => ids("SELECT id FROM sessions WHERE deleted_ms < ?", ms),
    idsAfter: async (id, limit) => ids("SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?", id, limit),
  };
}

function loaded(db: Database, record: SessionRecord): StoredSession {
  const { id } = record;
  const prompts = db.statement(
    "SELECT id, octet_length(content) AS bytes FROM prompts WHERE session_id = ? AND state = ? ORDER BY coalesce(place, seq)",
  );
  const begun = db.statement("SELECT id FROM prompts WHERE session_id = ? AND state = ? ORDER BY seq");
  const totals = db.statement("SELECT seen FROM usage_seen WHERE session_id = ?").get(id);
  return {
    record,
    lastSeq: boundsOf(db, id).last,
    waiting: prompts.all(id, PromptState.QUEUED) as unknown as StoredSession["waiting"],
    begun: begun.all(id, PromptState.STARTED).map((row) => row.id as string),
    openQuestions: openQuestionsOf(db, id),
    usage: usageOfSession(db, id),
    totals: totals?.seen as string | undefined,
  };
}

/** A condition with its values. */
type Condition = readonly [sql: string, ...values: SqlValue[]];

/** Reads a page of sessions. */
function listSessions(db: Database, query: SessionQuery): Listing {
  const size = pageSizeOf(query);
  const rank = query.byAttention ? URGENCY : undefined;
  const conditions = conditionsOf(query, rank);
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
  const values = conditions.flatMap(([, ...given]) => given);
  // An index has all sessions in this order; using it to find only a few (`+` prevents that) takes twice as long.
  const isWhole =
    query.cwd === "" && query.search === "" && query.statuses.length === 0 && query.promptedBy === "";
  const order = `${rank ? "rank, " : ""}${isWhole ? "" : "+"}updated_ms DESC, id`;
  const sql = `${SELECT_SESSIONS.replace(" FROM", `, ${rank ?? "0"} AS rank FROM`)} ${where} ORDER BY ${order} LIMIT ?`;
  return listingOf(db.statement(sql).all(...values, size + 1) as unknown as RankedSession[], size);
}

function conditionsOf(query: SessionQuery, rank: string | undefined): readonly Condition[] {
  const { statuses, cwd } = query;
  const conditions: Condition[] = [];
  if (!query.includeDeleted) conditions.push(["deleted_ms IS NULL"]);
  conditions.push([`archived_ms IS ${query.archived ? "NOT NULL" : "NULL"}`]);
  if (cwd !== "") conditions.push(["cwd = ?", cwd]);
  if (statuses.length > 0)
    conditions.push([`status IN (${statuses.map(() => "?").join(", ")})`, ...statuses]);
  for (const pattern of patternsOf(query))
    conditions.push(["(title || ' ' || cwd || ' ' || first_prompt) LIKE ? ESCAPE '\\'", pattern]);
  const { promptedBy } = query;
  if (promptedBy !== "")
    conditions.push([
      "EXISTS (SELECT 1 FROM prompts WHERE session_id = sessions.id AND substr(client, 1, length(?)) = ?)",
      ...[promptedBy, promptedBy],
    ]);
  const place = placeOf(query);
  if (place) {
    const [after, updatedMs, id] = place;
    conditions.push(
      rank
        ? [`(${rank}, -updated_ms, id) > (?, ?, ?)`, after, -updatedMs, id]
        : ["updated_ms <= ? AND (updated_ms < ? OR id > ?)", updatedMs, updatedMs, id],
    );
  }
  return conditions;
}
