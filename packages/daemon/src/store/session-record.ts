import { randomUUID } from "node:crypto";
import { SessionStatus } from "@agentwire/api";

/** The stored data of a session, apart from its events. */
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
  /** The only client that may send prompts; empty if every client may. */
  readonly inputHolder: string;
  /** The worktree created for it, as JSON; empty for none. */
  readonly worktree: string;
  /** Why its last turn failed; empty if it did not, or another has started. */
  readonly turnFailure: string;
  /**
   * The point to which the conversation was rewound, until the agent has continued from there: the agent's id of the last message that is
   * still part of it, or the id of a new conversation if no message is. Empty if it was not rewound.
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

/** The fields that are known before a session starts. */
type NewRecord = Pick<
  SessionRecord,
  "title" | "cwd" | "agent" | "model" | "mode" | "effort" | "idempotencyKey"
>;

/** Creates the record of a session that has not started yet. */
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

/** The columns of the sessions table, by field. */
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

/** The names of all stored fields of a session. */
export const SESSION_FIELDS = Object.keys(SESSION_COLUMNS) as (keyof SessionRecord)[];
