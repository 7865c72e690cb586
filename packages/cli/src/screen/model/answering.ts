import type { Question, UserOption, UserQuestion } from "@agentwire/api";
import { parseInput, textField } from "@agentwire/view/text";
import { proposeRule } from "../../ask/answer.ts";
import { lineOf } from "../../terminal/line-editor.ts";
import { type Editor, EMPTY_EDITOR } from "./editor.ts";

/** What is being typed for an answer: nothing yet, the rule to store, a reason, another command, or a free-text answer. */
export type AnswerForm = "keys" | "session" | "always" | "reason" | "command" | "own";

/** A question that is being answered. */
export interface Answering {
  readonly question: Question;
  readonly sinceMs: number;
  /** Whether keys answer the question; not while a prompt is being written. */
  readonly hasFocus: boolean;
  readonly form: AnswerForm;
  readonly editor: Editor;
  /** The letter or number that was pressed, until it is clear that nothing follows it. */
  readonly pressed: string;
  /** The proposed rule for calls like this one; empty if none is safe. */
  readonly rule: string;
  /** The folder that paths are shown relative to. */
  readonly cwd: string;
  /** How many rows of a long question are scrolled out at the top. */
  readonly offset: number;
  /** For questions to the user: the current one, the highlighted and chosen options, and the answers so far. */
  readonly index: number;
  readonly marked: number;
  readonly chosen: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
}

export function startAnswering(
  question: Question,
  nowMs: number,
  hasFocus: boolean,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Answering {
  return {
    question,
    sinceMs: nowMs,
    hasFocus,
    form: "keys",
    editor: EMPTY_EDITOR,
    pressed: "",
    rule: question.userQuestions.length > 0 ? "" : proposeRule(question, cwd, home),
    cwd,
    offset: 0,
    index: 0,
    marked: 0,
    chosen: [],
    answers: {},
  };
}

/** Opens a line to type in, with an initial text. */
export const withForm = (answering: Answering, form: AnswerForm, text: string): Answering => ({
  ...answering,
  form,
  editor: lineOf(text),
});

/** Whether the question is about a plan. */
export const isPlan = ({ question }: Answering): boolean => question.toolName === "ExitPlanMode";

/** The question that the user is being asked now. */
export const askedNow = ({ question, index }: Answering): UserQuestion | undefined =>
  question.userQuestions[index];

/** The entries to choose from: the options, then free text or, if only options are accepted, no answer if that is allowed. */
export function entriesOf({ options, onlyOptions, optional }: UserQuestion): readonly Entry[] {
  const own = options.length === 0 ? "type an answer" : "something else";
  if (!onlyOptions) return [...options, { label: own, description: "" }];
  return optional ? [...options, { label: "no answer", description: "" }] : options;
}

const PERMISSION_KEYS: readonly (readonly [string, string])[] = [
  ["y", "once"],
  ["s", "session"],
  ["a", "always"],
  ["n", "no"],
  ["d", "no, because…"],
  ["x", "no, and stop"],
];

const PLAN_KEYS: readonly (readonly [string, string])[] = [
  ["y", "carry it out"],
  ["a", "carry it out and accept edits"],
  ["n", "plan again, because…"],
  ["x", "no, and stop"],
];

/** The command that the question is about; empty if it is about something else. */
export const commandOf = ({ question }: Answering): string =>
  textField(parseInput(question.inputJson), "command");

/** The letters that answer a permission question, and what each does. */
export function answerKeys(answering: Answering): readonly (readonly [string, string])[] {
  if (isPlan(answering)) return PLAN_KEYS;
  return commandOf(answering) === "" ? PERMISSION_KEYS : [...PERMISSION_KEYS, ["e", "edit"]];
}

/** Whether free text is accepted as an answer. */
export const acceptsFreeText = (answering: Answering): boolean => askedNow(answering)?.onlyOptions === false;

type Entry = Pick<UserOption, "label" | "description">;
