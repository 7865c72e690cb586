import type {
  PermissionDecided,
  PromptState,
  Question,
  QuestionAnswered,
  ToolCallResult,
  TurnComplete,
  UsageReport,
} from "@agentwire/api";

interface Base {
  /** A stable key: it stays the same even when a finished reply replaces its deltas. */
  readonly key: string;
  /** The number of the event with which it started. */
  readonly seq: number;
  readonly timeMs: number;
}

/** A prompt. */
export interface PromptItem extends Base {
  readonly kind: "prompt";
  readonly promptId: string;
  readonly text: string;
  readonly contentJson: string;
  readonly client: string;
  readonly state: PromptState;
  /** Why it was cancelled. */
  readonly reason?: string;
  /** Whether it was already being answered when it was cancelled. */
  readonly isCutOff: boolean;
}

/** What the agent said. */
export interface SaidItem extends Base {
  readonly kind: "said";
  readonly text: string;
  readonly stage: Stage;
}

/** What the agent thought before a reply. */
export interface ThoughtItem extends Base {
  readonly kind: "thought";
  readonly text: string;
  readonly stage: Stage;
}

/** A tool call that is being written. */
export interface UnfinishedCallItem extends Base {
  readonly kind: "draft";
  readonly text: string;
  readonly stage: Stage;
}

/** The state of a reply: still being written, finished, or cut off. */
export type Stage = "open" | "done" | "cut";

/** A tool call with its question, output and result. */
export interface CallItem extends Base {
  readonly kind: "call";
  readonly toolUseId: string;
  /** Empty if the call started before the loaded events. */
  readonly name: string;
  readonly inputJson: string;
  readonly result?: ToolCallResult;
  /** The last part of its output while it runs; empty if unknown. */
  readonly output: string;
  readonly question?: AskedQuestion;
  /** What a subagent does within it. */
  readonly children: readonly Item[];
  /** Whether the turn ended without a result for it. */
  readonly isAbandoned: boolean;
}

/** A question and its outcome. */
export interface AskedQuestion {
  readonly question: Question;
  readonly settled?: PermissionDecided | QuestionAnswered;
}

/** A question whose call is not loaded. */
export interface QuestionItem extends Base, AskedQuestion {
  readonly kind: "question";
}

/** The end of a turn. */
export interface TurnItem extends Base {
  readonly kind: "turn";
  readonly turn: TurnComplete;
  /** Whether the agent's last reply already states why the turn failed. */
  readonly isFailureStated: boolean;
  readonly usage?: UsageReport;
}

/** Something that happened outside the conversation. */
export interface NoticeItem extends Base {
  readonly kind: "notice";
  readonly tone: "quiet" | "warning" | "error";
  readonly text: string;
  readonly detail: string;
}

/** An event that this console does not know. */
export interface RawItem extends Base {
  readonly kind: "raw";
  readonly type: string;
  readonly json: string;
}

/** One thing in the history of a session, as people see it. */
export type Item =
  | PromptItem
  | SaidItem
  | ThoughtItem
  | UnfinishedCallItem
  | CallItem
  | QuestionItem
  | TurnItem
  | NoticeItem
  | RawItem;
