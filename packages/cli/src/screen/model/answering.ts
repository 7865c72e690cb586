import type { Question, UserOption, UserQuestion } from "@agentwire/api";
import { parseInput, textField } from "@agentwire/view/text";
import { proposeRule } from "../../ask/answer.ts";
import { lineOf } from "../../terminal/line-editor.ts";
import { type Editor, EMPTY_EDITOR } from "./editor.ts";

/** What is written while a question is answered: nothing yet, the rule to keep, a reason, another command, words of one's own. */
export type AnswerForm = "keys" | "session" | "always" | "reason" | "command" | "own";

/** A question that is being answered. */
export interface Answering {
  readonly question: Question;
  readonly sinceMs: number;
  /** Whether keys answer it; whoever is writing a prompt is not interrupted. */
  readonly hasFocus: boolean;
  readonly form: AnswerForm;
  readonly editor: Editor;
  /** The letter or number that was pressed, until it is known to be alone. */
  readonly pressed: string;
  /** The rule that is proposed for calls like this one; empty where none is safe. */
  readonly rule: string;
  /** The folder that paths are shown from. */
  readonly cwd: string;
  /** How many rows of a long question are above what is seen. */
  readonly offset: number;
  /** Of questions to the user: which is asked, what is marked, what is chosen, what was said before. */
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

/** The question with a line to write, which begins with a text. */
export const withForm = (answering: Answering, form: AnswerForm, text: string): Answering => ({
  ...answering,
  form,
  editor: lineOf(text),
});

/** Whether it is about a plan. */
export const isPlan = ({ question }: Answering): boolean => question.toolName === "ExitPlanMode";

/** The question to the user that is asked now. */
export const askedNow = ({ question, index }: Answering): UserQuestion | undefined =>
  question.userQuestions[index];

/** What can be chosen: the options, then words of one's own or, where only the options count, no answer if that will do. */
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

/** The command that is asked about; empty where it is about something else. */
export const commandOf = ({ question }: Answering): string =>
  textField(parseInput(question.inputJson), "command");

/** The letters that answer whether a tool may run, and what each does. */
export function answerKeys(answering: Answering): readonly (readonly [string, string])[] {
  if (isPlan(answering)) return PLAN_KEYS;
  return commandOf(answering) === "" ? PERMISSION_KEYS : [...PERMISSION_KEYS, ["e", "edit"]];
}

/** Whether words of one's own are an answer. */
export const takesWords = (answering: Answering): boolean => askedNow(answering)?.onlyOptions === false;

type Entry = Pick<UserOption, "label" | "description">;
