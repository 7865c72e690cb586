import { randomUUID } from "node:crypto";
import { SessionStatus } from "@agentwire/api";
import type { Database, SqlValue } from "../store/database.ts";
import type { Write } from "../store/write.ts";

/** What is stored of a session beside its events. */
export interface SessionRecord {
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  readonly agent: string;
  readonly model: string;
  readonly mode: string;
  readonly status: SessionStatus;
  readonly agentSessionId: string;
  readonly forkedFrom: string;
  readonly firstPrompt: string;
  /** The client that alone may send prompts; empty when everyone may. */
  readonly inputHolder: string;
  /** The worktree that was made for it, as JSON; empty for none. */
  readonly worktree: string;
  /** Why its last turn failed; empty if it did not, or another has started. */
  readonly turnFailure: string;
  readonly idempotencyKey: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly deletedMs: number | null;
}

/** What is known of a session before it starts. */
type NewRecord = Pick<SessionRecord, "title" | "cwd" | "agent" | "model" | "mode" | "idempotencyKey">;

/** The record of a session that has not started yet. */
export function newRecord({ title, cwd, agent, model, mode, idempotencyKey }: NewRecord): SessionRecord {
  const now = Date.now();
  return {
    id: randomUUID(),
    title,
    cwd,
    agent,
    model,
    mode,
    status: SessionStatus.IDLE,
    agentSessionId: "",
    forkedFrom: "",
    firstPrompt: "",
    inputHolder: "",
    worktree: "",
    turnFailure: "",
    idempotencyKey,
    createdMs: now,
    updatedMs: now,
    deletedMs: null,
  };
}

/** The columns, by the names they have here. */
const COLUMNS = {
  id: "id",
  title: "title",
  cwd: "cwd",
  agent: "agent",
  model: "model",
  mode: "mode",
  status: "status",
  agentSessionId: "agent_session_id",
  forkedFrom: "forked_from",
  firstPrompt: "first_prompt",
  inputHolder: "input_holder",
  worktree: "worktree",
  turnFailure: "turn_failure",
  idempotencyKey: "idempotency_key",
  createdMs: "created_ms",
  updatedMs: "updated_ms",
  deletedMs: "deleted_ms",
} as const satisfies Record<keyof SessionRecord, string>;

type Field = keyof SessionRecord;
const FIELDS = Object.keys(COLUMNS) as Field[];

/** Reads sessions from the store. */
export const SELECT_SESSIONS = `SELECT ${FIELDS.map((field) => `${COLUMNS[field]} AS ${field}`).join(", ")} FROM sessions`;

/** The session of that id, if there is one. */
export function findSession(db: Database, id: string): SessionRecord | undefined {
  return db.statement(`${SELECT_SESSIONS} WHERE id = ?`).get(id) as unknown as SessionRecord | undefined;
}

/** The session that works in a worktree of its own at that path, unless it was deleted. */
export function findByWorktree(db: Database, path: string): SessionRecord | undefined {
  return db
    .statement(`${SELECT_SESSIONS} WHERE cwd = ? AND worktree LIKE '%"state":"open"%' AND deleted_ms IS NULL`)
    .get(path) as unknown as SessionRecord | undefined;
}

/** The session that was created with that key. */
export function findByKey(db: Database, key: string): SessionRecord | undefined {
  return db.statement(`${SELECT_SESSIONS} WHERE idempotency_key = ?`).get(key) as unknown as
    | SessionRecord
    | undefined;
}

export function insertSession(record: SessionRecord): Write {
  const marks = FIELDS.map(() => "?").join(", ");
  return {
    sql: `INSERT INTO sessions (${FIELDS.map((field) => COLUMNS[field]).join(", ")}) VALUES (${marks})`,
    values: FIELDS.map((field) => record[field]),
  };
}

/** The write that changes some fields of a session. */
export function updateSession(id: string, changes: Partial<SessionRecord>): Write {
  const fields = FIELDS.filter((field) => changes[field] !== undefined);
  return {
    sql: `UPDATE sessions SET ${fields.map((field) => `${COLUMNS[field]} = ?`).join(", ")} WHERE id = ?`,
    values: [...fields.map((field): SqlValue => changes[field] ?? null), id],
  };
}
