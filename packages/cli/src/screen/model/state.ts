import type { Question, Session } from "@agentwire/api";
import { type Facts, isBusy, newFacts, withOpenQuestions, withQueue } from "@agentwire/view/facts";
import { type Item, Timeline } from "@agentwire/view/timeline";
import { type Answering, startAnswering } from "./answering.ts";
import { type Editor, EMPTY_EDITOR } from "./editor.ts";
import type { Entry, Picker, PickerKind } from "./picker.ts";

/** A picture that goes with the next prompt. */
export interface Picture {
  readonly mediaType: string;
  readonly base64: string;
}

/** Something that is said for a while below the prompt. */
export interface Note {
  readonly text: string;
  readonly isBad: boolean;
  readonly untilMs: number;
}

/** How much of a reply that is still being written has left the live part of the screen. */
export interface Written {
  readonly key: string;
  /** How long it was, and how it ended. */
  readonly length: number;
  readonly end: string;
  /** The line that began the code block in which it broke off; empty if it broke off between blocks. */
  readonly fence: string;
}

/** Everything that the screen shows, and what keys mean. */
export interface ScreenState {
  /** Undefined before the first prompt of a new session. */
  readonly facts: Facts | undefined;
  readonly timeline: Timeline;
  /** What is not in the terminal's own history yet. */
  readonly items: readonly Item[];
  readonly written: Written | undefined;
  readonly editor: Editor;
  readonly pictures: readonly Picture[];
  /** The prompts of this session that were seen, the newest last. */
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** Earlier prompts of all sessions, the newest last. */
  readonly history: readonly string[];
  /** Which of them is shown; its length for what is being written. */
  readonly historyAt: number;
  readonly picker: Picker | undefined;
  readonly answering: Answering | undefined;
  readonly isExpanded: boolean;
  readonly note: Note | undefined;
  readonly isLost: boolean;
  /** What the next session begins with, while there is none. */
  readonly model: string;
  readonly mode: string;
  readonly cwd: string;
  readonly home: string;
  /** How many tokens the agent's context holds, and could; undefined where it has not said. */
  readonly context: { readonly used: number; readonly most: number } | undefined;
  /** Other sessions that ask something. */
  readonly askingElsewhere: number;
  /** The last time that Escape or Ctrl-C was pressed, because twice means something else. */
  readonly escapeMs: number;
  readonly interruptMs: number;
  /** When the turn began that runs. */
  readonly busySinceMs: number;
  /** How many rows further up the alternate screen shows. */
  readonly scrolled: number;
}

/** What a screen begins with. */
export type Beginning = Pick<ScreenState, "model" | "mode" | "cwd" | "home" | "history">;

export function newScreen(beginning: Beginning): ScreenState {
  return {
    ...beginning,
    facts: undefined,
    timeline: new Timeline(),
    items: [],
    written: undefined,
    editor: EMPTY_EDITOR,
    pictures: [],
    prompts: [],
    historyAt: beginning.history.length,
    picker: undefined,
    answering: undefined,
    isExpanded: false,
    note: undefined,
    isLost: false,
    context: undefined,
    askingElsewhere: 0,
    escapeMs: 0,
    interruptMs: 0,
    busySinceMs: 0,
    scrolled: 0,
  };
}

/** The screen with another session; what is being written stays. */
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

/** The screen with what the daemon says is open: also what began before the events that are shown. */
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

/** The screen with the first open question in front. */
export function withQuestion(state: ScreenState, nowMs: number): ScreenState {
  const open = state.facts?.questions.find(({ settled }) => settled === undefined)?.question;
  if (open?.id === state.answering?.question.id) return state;
  const isFree = state.editor.text === "" && state.picker === undefined;
  return { ...state, answering: open && startAnswering(open, nowMs, isFree, state) };
}

/** The screen after a list is closed: a question that came meanwhile gets the keys, unless somebody is writing. */
export const withFreeQuestion = (state: ScreenState, nowMs: number): ScreenState =>
  state.answering && !state.answering.hasFocus && state.editor.text === ""
    ? { ...state, answering: { ...state.answering, hasFocus: true, sinceMs: nowMs } }
    : state;

/** The screen with what a list that is still open waits for. */
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
