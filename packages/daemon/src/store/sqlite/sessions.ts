import { setImmediate as nextTurn } from "node:timers/promises";
import { Disposition, PromptState, SessionStatus } from "@agentwire/api";
import { SESSION_COLUMNS, SESSION_FIELDS, type SessionRecord } from "../session-record.ts";
import type { SessionSummary, StoredSession, StoredSessions } from "../store.ts";
import type { Database, SqlValue } from "./database.ts";
import { listSessions } from "./listing.ts";
import { boundsOf } from "./logs.ts";
import { openQuestionsOf } from "./questions.ts";
import { lastModelOf, usageOfSession } from "./usage.ts";

/** How many sessions are looked up at a time: the largest page would keep other clients waiting. */
const AT_ONCE = 50;

/** Reads sessions. */
export const SELECT_SESSIONS = `SELECT ${SESSION_FIELDS.map((field) => `${SESSION_COLUMNS[field]} AS ${field}`).join(", ")} FROM sessions`;

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
