import {
  type Event,
  type PermissionDecided,
  PromptState,
  type Question,
  type QuestionAnswered,
  type QuestionDeadline,
  type Session,
  type SessionInfo,
  SessionStatus,
  type Todo,
  type UsageReport,
} from "@agentwire/api";
import { heldBy, type Input, inputAfter } from "./input.ts";
import { type Tasks, tasksAfter, tasksOver } from "./tasks.ts";

/** A prompt for which no turn has started. */
export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
}

/** A question that is open, or was settled while we watched. */
export interface KnownQuestion {
  readonly question: Question;
  readonly settled?: PermissionDecided | QuestionAnswered;
}

/** The current state of a session, independent of which part of its history is loaded. */
export interface Facts {
  readonly session: Session;
  readonly status: SessionStatus;
  /** Why the last turn failed; empty if it succeeded or another one has started. */
  readonly turnFailure: string;
  readonly info: SessionInfo | undefined;
  readonly queue: readonly QueuedPrompt[];
  readonly questions: readonly KnownQuestion[];
  /** Undefined if the loaded events contain no to-do list. */
  readonly todos: readonly Todo[] | undefined;
  readonly usage: UsageReport | undefined;
  /** The number of the last event about costs or budgets. */
  readonly moneySeq: number;
  readonly input: Input;
  /** The tasks that run alongside the conversation, by id. */
  readonly tasks: Tasks;
  /** The number of the last event included here. */
  readonly seq: number;
}

/** The facts about a session before any of its events. */
export function newFacts(session: Session): Facts {
  return {
    session,
    status: session.status,
    turnFailure: session.turnFailure,
    info: undefined,
    queue: [],
    questions: [],
    todos: undefined,
    usage: undefined,
    moneySeq: 0,
    input: heldBy(session.inputHolder),
    tasks: new Map(),
    seq: 0,
  };
}

/** The facts after an event; events that are already included change nothing. */
export function withEvent(facts: Facts, event: Event): Facts {
  const seq = Number(event.seq);
  return seq <= facts.seq ? facts : { ...facts, ...changeBy(facts, event), seq };
}

const PIECES: ReadonlySet<string | undefined> = new Set([
  "textDelta",
  "thinkingDelta",
  "toolInputDelta",
  "toolOutputDelta",
]);

/** The facts after several events; skips deltas, by far the most frequent events, which change no facts. */
export function withEvents(facts: Facts, events: readonly Event[]): Facts {
  const last = Number(events.at(-1)?.seq ?? 0n);
  const after = events.filter(({ body }) => !PIECES.has(body.case)).reduce(withEvent, facts);
  return last > after.seq ? { ...after, seq: last } : after;
}

/** In these states no process runs, and so none of its tasks do. */
const ENDS: ReadonlySet<SessionStatus> = new Set([
  SessionStatus.STARTING,
  SessionStatus.RECOVERING,
  SessionStatus.FAILED,
]);

function changeBy(facts: Facts, event: Event): Partial<Facts> {
  const { body, seq } = event;
  switch (body.case) {
    case "sessionInfo":
      return { info: body.value };
    case "statusChange":
      return {
        status: body.value.status,
        ...(body.value.status === SessionStatus.RUNNING && { turnFailure: "" }),
        ...(ENDS.has(body.value.status) && { tasks: tasksOver(facts.tasks) }),
      };
    case "turnComplete":
      return { turnFailure: body.value.failure };
    case "userInput": {
      const { promptId: id, text } = body.value;
      return { queue: [...facts.queue.filter((known) => known.id !== id), { id, text }] };
    }
    case "promptChange": {
      const { promptId, state, reason, cutOff, position } = body.value;
      if (state === PromptState.QUEUED) return { queue: moved(facts.queue, promptId, position) };
      return {
        queue: facts.queue.filter(({ id }) => id !== promptId),
        ...(cutOff && { turnFailure: reason }),
      };
    }
    case "conversationRewind": {
      const gone = new Set(body.value.promptIds);
      return { queue: facts.queue.filter(({ id }) => !gone.has(id)), turnFailure: "" };
    }
    case "permissionAsked":
    case "questionAsked":
      return body.value.question ? { questions: withQuestion(facts.questions, body.value.question) } : {};
    case "permissionDecided":
    case "questionAnswered":
      return { questions: settledBy(facts.questions, body.value) };
    case "questionDeadline":
      return { questions: waitingUntil(facts.questions, body.value) };
    case "todoList":
      return { todos: body.value.items };
    case "usageReport":
      return { usage: body.value, moneySeq: Number(seq) };
    case "budgetNotice":
      return { moneySeq: Number(seq) };
    case "inputHolderChange":
    case "inputRequest":
    case "inputRefusal":
      return { input: inputAfter(facts.input, event) };
    case "taskUpdate":
      return { tasks: tasksAfter(facts.tasks, body.value) };
    default:
      return {};
  }
}

function moved(queue: readonly QueuedPrompt[], id: string, position: number): readonly QueuedPrompt[] {
  const prompt = queue.find((each) => each.id === id);
  if (!prompt || position === 0) return queue;
  return queue.filter((each) => each !== prompt).toSpliced(position - 1, 0, prompt);
}

/** Fills in facts from events just before the loaded ones, where nothing newer is known. */
export function withEarlier(facts: Facts, events: readonly Event[]): Facts {
  const { info, todos } = events.reduce(withEvent, newFacts(facts.session));
  return { ...facts, info: facts.info ?? info, todos: facts.todos ?? todos };
}

/** Adds the prompts that the daemon reports as queued, including those from before the loaded events. */
export function withQueue(facts: Facts, waiting: readonly QueuedPrompt[]): Facts {
  const known = new Set(waiting.map(({ id }) => id));
  // Prompts that the daemon no longer reports have started in the meantime; the events that follow will say so.
  return { ...facts, queue: [...waiting, ...facts.queue.filter(({ id }) => !known.has(id))] };
}

/** Adds the questions that the daemon reports as open, including those from before the loaded events. */
export function withOpenQuestions(facts: Facts, open: readonly Question[]): Facts {
  return { ...facts, questions: open.reduce(withQuestion, facts.questions) };
}

/** Removes a question whose outcome people have seen. */
export function withoutQuestion(facts: Facts, id: string): Facts {
  return { ...facts, questions: facts.questions.filter(({ question }) => question.id !== id) };
}

function withQuestion(questions: readonly KnownQuestion[], question: Question): readonly KnownQuestion[] {
  return questions.some((known) => known.question.id === question.id)
    ? questions
    : [...questions, { question }];
}

function settledBy(
  questions: readonly KnownQuestion[],
  settled: PermissionDecided | QuestionAnswered,
): readonly KnownQuestion[] {
  return questions.map((known) => (known.question.id === settled.questionId ? { ...known, settled } : known));
}

function waitingUntil(
  questions: readonly KnownQuestion[],
  { questionId, expiresAt }: QuestionDeadline,
): readonly KnownQuestion[] {
  return questions.map((known) => {
    if (known.question.id !== questionId) return known;
    const { expiresAt: _before, ...question } = known.question;
    return { ...known, question: { ...question, ...(expiresAt && { expiresAt }) } };
  });
}

/** Whether a turn can be interrupted. */
export const isBusy = ({ status }: Facts): boolean =>
  status === SessionStatus.RUNNING || status === SessionStatus.ASKING || status === SessionStatus.STARTING;
