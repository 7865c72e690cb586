import { Disposition, PromptState, type Question, QuestionSchema, SessionStatus } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";
import { isForUser, QUESTION_COLUMNS, storedQuestion } from "../permission/question.ts";
import type { Database } from "../store/database.ts";
import type { Draft } from "../store/draft.ts";
import { promptStateWrite } from "../store/prompt-table.ts";
import type { Write } from "../store/write.ts";
import type { SessionRecord } from "./record.ts";

/** The events and writes for a session that an earlier daemon left unfinished. */
export interface Recovery {
  readonly drafts: readonly Draft[];
  readonly writes: readonly Write[];
  /** The resulting fields of the session. */
  readonly changes: Partial<SessionRecord>;
}

/** The sessions that an earlier daemon left with work, questions or prompts, and those that look busy. */
export function unfinishedSessions(db: Database): readonly string[] {
  const rows = db
    .statement(
      `SELECT id FROM sessions WHERE status NOT IN (?, ?) OR input_holder <> ''
       UNION SELECT session_id FROM questions WHERE disposition = ?
       UNION SELECT session_id FROM prompts WHERE state IN (${PromptState.QUEUED}, ${PromptState.STARTED})`,
    )
    .all(SessionStatus.IDLE, SessionStatus.FAILED, Disposition.OPEN);
  return rows.map((row) => (row as { id: string }).id);
}

/**
 * No process of the earlier daemon is left. Its questions can no longer be answered, and prompts whose turn had started are not
 * started again, since their tools may already have run; queued prompts stay queued.
 */
export function recover(db: Database, record: SessionRecord): Recovery {
  const questions = db
    .statement(
      `SELECT ${QUESTION_COLUMNS} FROM questions WHERE disposition = ? AND session_id = ? ORDER BY seq`,
    )
    .all(Disposition.OPEN, record.id)
    .map(storedQuestion);
  const begun = db
    .statement("SELECT id FROM prompts WHERE session_id = ? AND state = ? ORDER BY seq")
    .all(record.id, PromptState.STARTED)
    .map((row) => (row as { id: string }).id);
  const parts = [...questions.map(orphaned), ...begun.map(cutOff)];
  const { status, inputHolder } = record;
  const isAtRest = status === SessionStatus.IDLE || status === SessionStatus.FAILED;
  return {
    drafts: [
      ...parts.map(({ draft }) => draft),
      ...(inputHolder === "" ? [] : [inputFree(inputHolder, RESTARTED)]),
      ...(isAtRest ? [] : [atRest(status, RESTARTED)]),
    ],
    writes: parts.map(({ write }) => write),
    changes: {
      inputHolder: "",
      ...(!isAtRest && { status: SessionStatus.IDLE }),
      ...(begun.length > 0 && { turnFailure: CUT_OFF }),
    },
  };
}

const RESTARTED = "the daemon was restarted";

/** The event that releases the input of a session. */
export const inputFree = (previous: string, reason: string): Draft => ({
  body: { case: "inputHolderChange", value: { client: "", previous, reason } },
});

/** The event that a session is idle. */
export const atRest = (previous: SessionStatus, reason: string): Draft => ({
  body: { case: "statusChange", value: { status: SessionStatus.IDLE, previous, reason } },
});

/** The event for a prompt that an agent had started. */
const CUT_OFF = "the daemon ended while the agent ran this; it may have been executed in part";

interface Part {
  readonly draft: Draft;
  readonly write: Write;
}

function orphaned(question: Question): Part {
  const disposition = Disposition.ORPHANED;
  const decidedBy = RESTARTED;
  const value = { questionId: question.id, disposition, decidedBy };
  const body = toBinary(QuestionSchema, { ...question, disposition, decidedBy });
  return {
    draft: {
      body: isForUser(question) ? { case: "questionAnswered", value } : { case: "permissionDecided", value },
    },
    write: {
      sql: "UPDATE questions SET disposition = ?, body = ? WHERE id = ?",
      values: [disposition, body, question.id],
    },
  };
}

function cutOff(promptId: string): Part {
  const state = PromptState.CANCELLED;
  return {
    draft: { body: { case: "promptChange", value: { promptId, state, reason: CUT_OFF, cutOff: true } } },
    write: promptStateWrite(promptId, state),
  };
}
