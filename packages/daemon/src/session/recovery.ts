import { Disposition, PromptState, type Question, SessionStatus } from "@agentwire/api";
import { isForUser } from "../permission/question.ts";
import type { Draft } from "../store/draft.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { StoredSession } from "../store/store.ts";
import type { Write } from "../store/write.ts";

/** The events and writes for a session that an earlier daemon left unfinished. */
export interface Recovery {
  readonly drafts: readonly Draft[];
  readonly writes: readonly Write[];
  /** The resulting fields of the session. */
  readonly changes: Partial<SessionRecord>;
}

/**
 * No process of the earlier daemon is left. Its questions can no longer be answered, and prompts whose turn had started are not
 * started again, since their tools may already have run; queued prompts stay queued.
 */
export function recover({ record, openQuestions, begun }: StoredSession): Recovery {
  const parts = [...openQuestions.map(orphaned), ...begun.map(cutOff)];
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

/** The event that a session has become idle. */
export const atRest = (previous: SessionStatus, reason: string): Draft => ({
  body: { case: "statusChange", value: { status: SessionStatus.IDLE, previous, reason } },
});

/** The event for a prompt that an agent had started. */
const CUT_OFF = "the daemon stopped while the agent was running this; it may have been partly executed";

interface Part {
  readonly draft: Draft;
  readonly write: Write;
}

function orphaned(question: Question): Part {
  const disposition = Disposition.ORPHANED;
  const decidedBy = RESTARTED;
  const value = { questionId: question.id, disposition, decidedBy };
  return {
    draft: {
      body: isForUser(question) ? { case: "questionAnswered", value } : { case: "permissionDecided", value },
    },
    write: { type: "changeQuestion", question: { ...question, disposition, decidedBy } },
  };
}

function cutOff(promptId: string): Part {
  const state = PromptState.CANCELLED;
  return {
    draft: { body: { case: "promptChange", value: { promptId, state, reason: CUT_OFF, cutOff: true } } },
    write: { type: "changePrompt", id: promptId, state },
  };
}
