import { randomUUID } from "node:crypto";
import { SessionStatus } from "@agentwire/api";

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

/** The columns of the table of sessions, by the names that they have here. */
export const SESSION_COLUMNS = {
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

/** The names of everything that is stored of a session. */
export const SESSION_FIELDS = Object.keys(SESSION_COLUMNS) as (keyof SessionRecord)[];
