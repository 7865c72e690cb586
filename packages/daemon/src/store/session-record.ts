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
  /**
   * What the conversation was taken back to, until the agent has gone on from there: the agent's id of the last message that counts, or,
   * if none does, the id of the conversation that begins anew. Empty if it was not.
   */
  readonly resumeAt: string;
  /** How much effort the model puts into its answers; empty for the agent's own default. */
  readonly effort: string;
  readonly archivedMs: number | null;
  readonly pinnedMs: number | null;
  readonly idempotencyKey: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly deletedMs: number | null;
}

/** What is known of a session before it starts. */
type NewRecord = Pick<
  SessionRecord,
  "title" | "cwd" | "agent" | "model" | "mode" | "effort" | "idempotencyKey"
>;

/** The record of a session that has not started yet. */
export function newRecord({
  title,
  cwd,
  agent,
  model,
  mode,
  effort,
  idempotencyKey,
}: NewRecord): SessionRecord {
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
    resumeAt: "",
    effort,
    archivedMs: null,
    pinnedMs: null,
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
  resumeAt: "resume_at",
  effort: "effort",
  archivedMs: "archived_ms",
  pinnedMs: "pinned_ms",
  idempotencyKey: "idempotency_key",
  createdMs: "created_ms",
  updatedMs: "updated_ms",
  deletedMs: "deleted_ms",
} as const satisfies Record<keyof SessionRecord, string>;

/** The names of everything that is stored of a session. */
export const SESSION_FIELDS = Object.keys(SESSION_COLUMNS) as (keyof SessionRecord)[];
