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
  /** The same for as long as it is the same thing, even when a finished reply takes the place of its pieces. */
  readonly key: string;
  /** The number of the event that it began with. */
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
  /** Whether it was being answered then. */
  readonly isCutOff: boolean;
}

/** What the agent said. */
export interface SaidItem extends Base {
  readonly kind: "said";
  readonly text: string;
  readonly stage: Stage;
}

/** What the agent thought before. */
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

/** How far a reply is: still being written, finished, or cut off in the middle. */
export type Stage = "open" | "done" | "cut";

/** A tool call with everything that came of it. */
export interface CallItem extends Base {
  readonly kind: "call";
  readonly toolUseId: string;
  /** Empty when it began before what is loaded. */
  readonly name: string;
  readonly inputJson: string;
  readonly result?: ToolCallResult;
  /** The end of what it has printed, while it runs; empty where that is not known. */
  readonly output: string;
  readonly question?: AskedQuestion;
  /** What a subagent does inside of it. */
  readonly children: readonly Item[];
  /** The turn ended without a result. */
  readonly isAbandoned: boolean;
}

/** A question, and how it ended. */
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
  /** Whether the agent has said already why it failed. */
  readonly isFailureTold: boolean;
  readonly usage?: UsageReport;
}

/** Something that happened beside the conversation. */
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
