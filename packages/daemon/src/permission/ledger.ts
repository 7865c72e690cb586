import { Disposition, type Question, QuestionSchema } from "@agentwire/api";
import type { PermissionResult } from "@agentwire/protocol";
import { toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Draft } from "../session/events/draft.ts";
import type { Write } from "../store/write.ts";
import { Patience, type Timeouts } from "./patience.ts";
import { isForUser, newQuestion, type ToolQuestion } from "./question.ts";

/** What a ledger needs of its session. */
export interface LedgerOptions {
  readonly sessionId: string;
  readonly timeouts: Timeouts;
  /** The number that the next event will get. */
  readonly nextSeq: () => number;
  /** Stores and sends events together with writes of our own; resolves when they are on disk. */
  readonly publish: (drafts: readonly Draft[], writes: readonly Write[]) => Promise<void>;
  readonly now: () => number;
}

/** A question as it came. */
export interface Asked {
  readonly requestId: string;
  /** The line in which it was asked, to be kept beside it. */
  readonly line?: string | undefined;
  /** Fires when the agent takes it back. */
  readonly signal: AbortSignal;
}

/** How a question ends. */
export interface Settlement {
  readonly disposition: Exclude<Disposition, Disposition.OPEN | Disposition.UNSPECIFIED>;
  /** A client, a rule, a time limit. */
  readonly by: string;
  readonly answer: PermissionResult;
  readonly rule?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

interface Open {
  readonly question: Question;
  readonly patience: Patience;
  readonly answer: (result: PermissionResult) => void;
}

/** The questions of one session: each is stored when it is asked, and gets exactly one disposition. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #open = new Map<string, Open>();
  #isAttended = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** The open questions, in the order they were asked. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Asks, and waits for the answer: of a person, of time, or of whatever ends the question. */
  ask(asked: ToolQuestion, { requestId, line, signal }: Asked): Promise<PermissionResult> {
    const { sessionId, nextSeq, publish, timeouts, now } = this.#options;
    this.#supersede(asked.tool_use_id);
    const patience = new Patience(timeouts, this.#isAttended, now());
    const question = newQuestion(sessionId, nextSeq(), asked, now(), patience.expiresAt);
    const answered = new Promise<PermissionResult>((answer) => {
      this.#open.set(question.id, { question, patience, answer });
    });
    const draft = { ...askedDraft(question), ...(line !== undefined && { line }) };
    void publish([draft], [insert(question, requestId)]);
    const withdrawn = () => void this.settle(question.id, taken("the agent took the question back"));
    if (signal.aborted) withdrawn();
    else signal.addEventListener("abort", withdrawn, { once: true });
    this.#watchTime();
    return answered.finally(() => signal.removeEventListener("abort", withdrawn));
  }

  /** Ends a question; false if it had ended before. The agent hears of it when it is on disk. */
  async settle(id: string, settlement: Settlement): Promise<boolean> {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#open.delete(id);
    this.#watchTime();
    const { question } = open;
    question.disposition = settlement.disposition;
    question.decidedBy = settlement.by;
    question.decidedAt = timestampFromMs(this.#options.now());
    await this.#options.publish([decided(question, settlement)], [update(question)]);
    open.answer(settlement.answer);
    return true;
  }

  /** The first client has come, or the last one has gone. */
  attended(isAttended: boolean): void {
    this.#isAttended = isAttended;
    for (const { patience } of this.#open.values()) patience.attended(isAttended, this.#options.now());
    this.#watchTime();
  }

  /** The process that asked is gone: nobody can be answered any more. */
  async orphanAll(): Promise<void> {
    const orphaned = { ...taken("the agent that asked is gone"), disposition: Disposition.ORPHANED } as const;
    await Promise.all([...this.#open.keys()].map((id) => this.settle(id, orphaned)));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #supersede(toolUseId: string): void {
    for (const { question } of this.#open.values())
      if (toolUseId !== "" && question.toolUseId === toolUseId)
        void this.settle(question.id, {
          ...taken("the agent asked again"),
          disposition: Disposition.SUPERSEDED,
        });
  }

  #watchTime(): void {
    clearTimeout(this.#timer);
    const first = Math.min(...[...this.#open.values()].map(({ patience }) => patience.expiresAt));
    if (!Number.isFinite(first)) return;
    this.#timer = setTimeout(
      () => this.#expire(),
      Math.min(Math.max(0, first - this.#options.now()), MAX_TIMER_MS),
    );
    // A question that waits for a week is no reason to keep a process.
    this.#timer.unref();
  }

  #expire(): void {
    for (const { question, patience } of this.#open.values())
      if (patience.expiresAt <= this.#options.now()) void this.settle(question.id, EXPIRED);
    this.#watchTime();
  }
}

/** What `setTimeout` can count. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const EXPIRED: Settlement = {
  disposition: Disposition.TIMED_OUT,
  by: "time limit",
  answer: {
    behavior: "deny",
    message: "Nobody answered the permission question in time; ask again if it matters.",
  },
};

const taken = (why: string): Settlement => ({
  disposition: Disposition.ABORTED,
  by: why,
  answer: { behavior: "deny", message: `The question was not answered: ${why}.` },
});

function askedDraft(question: Question): Draft {
  return isForUser(question)
    ? { body: { case: "questionAsked", value: { question } } }
    : { body: { case: "permissionAsked", value: { question } } };
}

function decided(question: Question, { disposition, by, answer, rule, answers }: Settlement): Draft {
  const common = { questionId: question.id, disposition, decidedBy: by };
  if (isForUser(question))
    return { body: { case: "questionAnswered", value: { ...common, answers: { ...answers } } } };
  return {
    body: {
      case: "permissionDecided",
      value: {
        ...common,
        rule: rule ?? "",
        message: answer.behavior === "deny" ? answer.message : "",
        inputChanged:
          answer.behavior === "allow" &&
          answer.updatedInput !== undefined &&
          JSON.stringify(answer.updatedInput) !== question.inputJson,
      },
    },
  };
}

function insert(question: Question, requestId: string): Write {
  return {
    sql: "INSERT INTO questions (id, session_id, seq, request_id, disposition, body) VALUES (?, ?, ?, ?, ?, ?)",
    values: [
      question.id,
      question.sessionId,
      Number(question.seq),
      requestId,
      question.disposition,
      toBinary(QuestionSchema, question),
    ],
  };
}

function update(question: Question): Write {
  return {
    sql: "UPDATE questions SET disposition = ?, body = ? WHERE id = ? AND disposition = 1",
    values: [question.disposition, toBinary(QuestionSchema, question), question.id],
  };
}
