import { Disposition, type Question } from "@agentwire/api";
import { ProtocolError } from "@agentwire/protocol";
import type { PermissionResult } from "@agentwire/protocol/permission";
import { MAX_TIMER_MS } from "@agentwire/protocol/support";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Boundary } from "../boundary.ts";
import type { Audit, AuditNote } from "../store/audit-log.ts";
import type { Draft } from "../store/draft.ts";
import type { Write } from "../store/write.ts";
import type { Elicited } from "./elicitation.ts";
import { dispositionName, isForUser, newQuestion, type ToolQuestion } from "./question.ts";
import { QuestionTimer, type Timeouts } from "./question-timer.ts";

/** What a ledger needs from its session. */
export interface LedgerOptions {
  readonly sessionId: string;
  readonly timeouts: () => Timeouts;
  /** The number of the next event. */
  readonly nextSeq: () => number;
  /** Stores and sends events together with additional writes; resolves when they are on disk. */
  readonly publish: (drafts: readonly Draft[], writes: readonly Write[]) => Promise<void>;
  readonly audit: Audit;
  readonly now: () => number;
  readonly guard: Boundary;
  /** Called when a question was settled, with the time that it was open. */
  readonly onSettled?: (settlement: Settlement, waitedMs: number) => void;
}

/** How a question was asked. */
export interface Asked {
  readonly requestId: string;
  /** The line in which it was asked, to be stored with it. */
  readonly line?: string | undefined;
  /** Fires when the agent takes it back. */
  readonly signal: AbortSignal;
  /** The maximum time that the agent waits. */
  readonly heldMs?: number;
  /** The elicitation, if the question is not about a call. */
  readonly elicited?: Elicited;
}

/** How a question ends. */
export interface Settlement {
  readonly disposition: Exclude<Disposition, Disposition.OPEN | Disposition.UNSPECIFIED>;
  /** What settled it: a client, a rule, a time limit. */
  readonly by: string;
  readonly answer: PermissionResult;
  readonly rule?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

interface Open {
  readonly question: Question;
  readonly requestId: string;
  /** By the monotonic clock, like the timer. */
  readonly since: number;
  readonly timer: QuestionTimer;
  readonly answer: (result: PermissionResult) => void;
}

/** The questions of one session: each is stored when it is asked, and gets exactly one disposition. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #open = new Map<string, Open>();
  /** Settled questions that are still being stored. */
  readonly #settling = new Map<string, Promise<void>>();
  #isAttended = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** The open questions, in the order they were asked. */
  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Asks a question, and waits for a person's answer, the timeout, or anything else that settles it. */
  ask(asked: ToolQuestion, { requestId, line, signal, heldMs, elicited }: Asked): Promise<PermissionResult> {
    const { sessionId, nextSeq, publish, timeouts, now } = this.#options;
    this.#supersede(asked.tool_use_id);
    const since = performance.now();
    const latest = heldMs === undefined ? undefined : since + heldMs;
    const timer = new QuestionTimer(timeouts(), this.#isAttended, since, latest);
    const expiresAt = this.#deadline(timer, since);
    const question = newQuestion(sessionId, nextSeq(), asked, now(), expiresAt, elicited);
    const answered = new Promise<PermissionResult>((answer) => {
      this.#open.set(question.id, { question, requestId, since, timer, answer });
    });
    const draft = { ...askedDraft(question), ...(line !== undefined && { line }) };
    publish([draft], [{ type: "addQuestion", question, requestId }]).catch(() =>
      this.#end(question.id, UNSTORED),
    );
    const withdrawn = () => this.#end(question.id, isClosed(signal) ? GONE : WITHDRAWN);
    if (signal.aborted) withdrawn();
    else signal.addEventListener("abort", withdrawn, { once: true });
    this.#watchTime();
    return answered.finally(() => signal.removeEventListener("abort", withdrawn));
  }

  /** Settles a question; false if it was already settled. The agent and clients are notified once this is on disk. */
  async settle(id: string, settlement: Settlement): Promise<boolean> {
    const open = this.#open.get(id);
    if (!open) {
      await this.#settling.get(id);
      return false;
    }
    this.#open.delete(id);
    this.#watchTime();
    this.#options.onSettled?.(settlement, performance.now() - open.since);
    const settling = this.#store(open, settlement).finally(() => this.#settling.delete(id));
    this.#settling.set(id, settling);
    await settling;
    return true;
  }

  /** Settles the open questions for which `judge`, called with their request ids, returns a settlement. */
  async reconsider(judge: (requestId: string) => Settlement | undefined): Promise<void> {
    const judged = [...this.#open.values()].map(({ question, requestId }) => {
      const settlement = judge(requestId);
      return settlement && this.settle(question.id, settlement);
    });
    await Promise.all(judged);
  }

  /** Call this when the first client connects or the last one leaves. Publishes the new deadlines. */
  attended(isAttended: boolean): void {
    if (this.#isClosed) return;
    this.#isAttended = isAttended;
    const now = performance.now();
    const open = [...this.#open.values()];
    for (const { question, timer } of open) {
      timer.attended(isAttended, now);
      const deadline = this.#deadline(timer, now);
      if (deadline) question.expiresAt = deadline;
      else delete question.expiresAt;
    }
    this.#watchTime();
    if (open.length === 0) return;
    const questions = open.map(({ question }) => question);
    // The journal handles a failing store.
    this.#options.publish(questions.map(deadlineDraft), questions.map(update)).catch(() => {});
  }

  /** The end of a timer in wall-clock time; undefined if it has none. */
  #deadline({ expiresAt }: QuestionTimer, now: number): Timestamp | undefined {
    if (!Number.isFinite(expiresAt)) return undefined;
    return timestampFromMs(Math.round(this.#options.now() + expiresAt - now));
  }

  /** Settles all questions because the process that asked has ended. */
  orphanAll(): void {
    for (const id of [...this.#open.keys()]) this.#end(id, GONE);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #store({ question, answer }: Open, settlement: Settlement): Promise<void> {
    question.disposition = settlement.disposition;
    question.decidedBy = settlement.by;
    question.decidedAt = timestampFromMs(this.#options.now());
    try {
      const { publish, audit } = this.#options;
      await publish([decided(question, settlement)], [update(question), audit(noteOf(question, settlement))]);
      answer(settlement.answer);
    } catch (error) {
      // A decision that was not stored is void: the agent must neither wait forever nor do something unrecorded.
      answer(UNSTORED.answer);
      throw error;
    }
  }

  /** Settles without waiting; the journal handles a failing store. */
  #end(id: string, settlement: Settlement): void {
    this.settle(id, settlement).catch(() => {});
  }

  #supersede(toolUseId: string): void {
    for (const { question } of this.#open.values())
      if (toolUseId !== "" && question.toolUseId === toolUseId) this.#end(question.id, SUPERSEDED);
  }

  #watchTime(): void {
    clearTimeout(this.#timer);
    const first = Math.min(...[...this.#open.values()].map(({ timer }) => timer.expiresAt));
    if (!Number.isFinite(first)) return;
    this.#timer = setTimeout(
      this.#options.guard(() => this.#expire()),
      Math.min(Math.max(0, first - performance.now()), MAX_TIMER_MS),
    );
    // A question that may wait for a week must not keep the process alive.
    this.#timer.unref();
  }

  #expire(): void {
    for (const { question, timer } of this.#open.values())
      if (timer.expiresAt <= performance.now()) this.#end(question.id, EXPIRED);
    this.#watchTime();
  }
}

const EXPIRED: Settlement = {
  disposition: Disposition.TIMED_OUT,
  by: "time limit",
  answer: {
    behavior: "deny",
    message: "The permission question was not answered in time; ask again if it matters.",
  },
};

const unanswered = (disposition: Settlement["disposition"], why: string): Settlement => ({
  disposition,
  by: why,
  answer: { behavior: "deny", message: `The question was not answered: ${why}.` },
});
const WITHDRAWN = unanswered(Disposition.ABORTED, "the agent withdrew the question");
const SUPERSEDED = unanswered(Disposition.SUPERSEDED, "the agent asked again");
const GONE = unanswered(Disposition.ORPHANED, "the agent that asked is gone");
const UNSTORED = unanswered(Disposition.ORPHANED, "it could not be stored");

/** Whether a question was aborted because its process has ended. */
const isClosed = ({ reason }: AbortSignal) => reason instanceof ProtocolError && reason.code === "closed";

/** The entry of the audit log for a settlement. */
function noteOf(
  { sessionId, toolName, inputJson }: Question,
  { disposition, by, rule }: Settlement,
): AuditNote {
  const detail = `${toolName} ${inputJson}`;
  const action = dispositionName(disposition);
  return {
    kind: "decision",
    actor: rule === undefined ? by : `${by}: ${rule}`,
    action,
    subject: sessionId,
    detail,
  };
}

function askedDraft(question: Question): Draft {
  return isForUser(question)
    ? { body: { case: "questionAsked", value: { question } } }
    : { body: { case: "permissionAsked", value: { question } } };
}

function deadlineDraft({ id: questionId, expiresAt }: Question): Draft {
  return { body: { case: "questionDeadline", value: { questionId, ...(expiresAt && { expiresAt }) } } };
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

const update = (question: Question): Write => ({ type: "changeQuestion", question });
