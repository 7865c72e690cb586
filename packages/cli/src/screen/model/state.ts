import type { Question, Session } from "@agentwire/api";
import { type Facts, isBusy, newFacts, withOpenQuestions, withQueue } from "@agentwire/view/facts";
import { type Item, Timeline } from "@agentwire/view/timeline";
import { type Answering, startAnswering } from "./answering.ts";
import { type Editor, EMPTY_EDITOR } from "./editor.ts";
import type { Entry, Picker, PickerKind } from "./picker.ts";

/** An image attached to the next prompt. */
export interface Picture {
  readonly mediaType: string;
  readonly base64: string;
}

/** A temporary message below the prompt. */
export interface Note {
  readonly text: string;
  readonly isBad: boolean;
  readonly untilMs: number;
}

/** How much of a streaming reply has left the live part of the screen. */
export interface Written {
  readonly key: string;
  /** The length of that text, and its end. */
  readonly length: number;
  readonly end: string;
  /** The opening line of the code block in which it ended; empty if it ended between blocks. */
  readonly fence: string;
}

/** Everything that determines what the screen shows and what keys do. */
export interface ScreenState {
  /** Undefined before the first prompt of a new session. */
  readonly facts: Facts | undefined;
  readonly timeline: Timeline;
  /** Items not yet in the terminal's own history. */
  readonly items: readonly Item[];
  readonly written: Written | undefined;
  readonly editor: Editor;
  readonly pictures: readonly Picture[];
  /** The prompts of this session seen so far, newest last. */
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** Earlier prompts of all sessions, newest last. */
  readonly history: readonly string[];
  /** The index of the one shown; the length of `history` for the prompt being written. */
  readonly historyAt: number;
  readonly picker: Picker | undefined;
  readonly answering: Answering | undefined;
  readonly isExpanded: boolean;
  readonly note: Note | undefined;
  /** What is known about the daemon while it does not answer; undefined while it does. */
  readonly lost: string | undefined;
  /** The settings for the next session, while there is none. */
  readonly model: string;
  readonly mode: string;
  readonly cwd: string;
  readonly home: string;
  /** The tokens in the agent's context and its size; undefined if not reported. */
  readonly context: { readonly used: number; readonly max: number } | undefined;
  /** The number of other sessions that are asking something. */
  readonly askingElsewhere: number;
  /** When Escape and Ctrl-C were last pressed, because pressing them twice means something else. */
  readonly escapeMs: number;
  readonly interruptMs: number;
  /** When the running turn began. */
  readonly busySinceMs: number;
  /** By how many rows the alternate screen is scrolled up. */
  readonly scrolled: number;
}

/** The initial values of a screen. */
export type InitialValues = Pick<ScreenState, "model" | "mode" | "cwd" | "home" | "history">;

export function newScreen(initial: InitialValues): ScreenState {
  return {
    ...initial,
    facts: undefined,
    timeline: new Timeline(),
    items: [],
    written: undefined,
    editor: EMPTY_EDITOR,
    pictures: [],
    prompts: [],
    historyAt: initial.history.length,
    picker: undefined,
    answering: undefined,
    isExpanded: false,
    note: undefined,
    lost: undefined,
    context: undefined,
    askingElsewhere: 0,
    escapeMs: 0,
    interruptMs: 0,
    busySinceMs: 0,
    scrolled: 0,
  };
}

/** Switches to another session; the typed text stays. */
export function withSession(state: ScreenState, session: Session): ScreenState {
  return {
    ...newScreen(state),
    editor: state.editor,
    pictures: state.pictures,
    isExpanded: state.isExpanded,
    facts: newFacts(session),
    mode: session.permissionMode,
    model: session.model,
    cwd: session.cwd,
  };
}

/** Adds the open questions and queued prompts reported by the daemon, including those older than the events shown. */
export function withOpen(
  state: ScreenState,
  questions: readonly Question[],
  queue: readonly { readonly promptId: string; readonly text: string }[],
  nowMs: number,
): ScreenState {
  if (!state.facts) return state;
  const facts = withQueue(
    withOpenQuestions(state.facts, questions),
    queue.map(({ promptId: id, text }) => ({ id, text })),
  );
  return withQuestion({ ...state, facts }, nowMs);
}

/** Shows the first open question. */
export function withQuestion(state: ScreenState, nowMs: number): ScreenState {
  const open = state.facts?.questions.find(({ settled }) => settled === undefined)?.question;
  if (open?.id === state.answering?.question.id) return state;
  const isFree = state.editor.text === "" && state.picker === undefined;
  return { ...state, answering: open && startAnswering(open, nowMs, isFree, state) };
}

/** After a list is closed: a question that arrived in the meantime gets the focus, unless someone is typing. */
export const withFreeQuestion = (state: ScreenState, nowMs: number): ScreenState =>
  state.answering && !state.answering.hasFocus && state.editor.text === ""
    ? { ...state, answering: { ...state.answering, hasFocus: true, sinceMs: nowMs } }
    : state;

/** Fills the list if it is still open. */
export const withEntries = (
  state: ScreenState,
  kind: PickerKind,
  entries: readonly Entry[],
  foundFor?: string,
): ScreenState =>
  state.picker?.kind === kind
    ? { ...state, picker: { ...state.picker, entries, ...(foundFor !== undefined && { foundFor }) } }
    : state;

export const isWorking = ({ facts }: ScreenState): boolean => facts !== undefined && isBusy(facts);

const NOTE_MS = 5000;

export const withNote = (state: ScreenState, text: string, nowMs: number, isBad = false): ScreenState => ({
  ...state,
  note: { text, isBad, untilMs: nowMs + (isBad ? 3 * NOTE_MS : NOTE_MS) },
});
