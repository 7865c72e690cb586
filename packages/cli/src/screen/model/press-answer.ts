import type { UserQuestion } from "@agentwire/api";
import { parseInput } from "@agentwire/view/text";
import { allowAlways, allowForSession, allowOnce, type Decision, deny } from "../../ask/answer.ts";
import { isEnter, TOO_SOON_MS, writtenBy } from "../../terminal/answer-keys.ts";
import type { Key } from "../../terminal/line-editor.ts";
import {
  type AnswerForm,
  type Answering,
  acceptsFreeText,
  answerKeys,
  askedNow,
  commandOf,
  entriesOf,
  isPlan,
  withForm,
} from "./answering.ts";
import { EMPTY_EDITOR, editText, insertText } from "./editor.ts";
import type { Effect, Pressed } from "./effects.ts";
import type { ScreenState } from "./state.ts";

type Result = Pressed<ScreenState>;

const PAGE = 5;

/** Handles a key while a question has the focus; undefined for a key that begins a prompt. */
export function pressAnswer(
  state: ScreenState,
  answering: Answering,
  key: Key,
  nowMs: number,
): Result | undefined {
  const stay = (change: Partial<Answering>): Result => withAnswering(state, answering, change);
  if (answering.form !== "keys") return pressForm(state, answering, key);
  if (nowMs - answering.sinceMs < TOO_SOON_MS) return stay({});
  const { pressed } = answering;
  if (pressed !== "" && isEnter(key)) return pressAlone(state);
  if (pressed !== "" && (key.name === "escape" || key.name === "backspace")) return stay({ pressed: "" });
  if (key.name === "pagedown") return stay({ pressed: "", offset: answering.offset + PAGE });
  if (key.name === "pageup") return stay({ pressed: "", offset: Math.max(0, answering.offset - PAGE) });
  const asked = askedNow(answering);
  if (asked) return pressOption(state, answering, asked, key);
  const written = writtenBy(key);
  if (written === "")
    return key.name === "escape" ? decided(state, answering, deny("", true)) : stay({ pressed: "" });
  const letter = written.toLowerCase();
  return pressed === "" && answerKeys(answering).some(([answer]) => answer === letter)
    ? stay({ pressed: written })
    : undefined;
}

/** Carries out the pressed key once it is clear that nothing follows it. */
export function pressAlone(state: ScreenState): Result {
  const { answering: waiting } = state;
  if (!waiting || waiting.pressed === "") return { state, effects: [] };
  const { pressed } = waiting;
  const answering = { ...waiting, pressed: "" };
  const asked = askedNow(answering);
  if (asked) return chooseOption(state, answering, asked, Number(pressed) - 1);
  const open = (form: AnswerForm, text: string) => withAnswering(state, withForm(answering, form, text), {});
  const letter = pressed.toLowerCase();
  if (isPlan(answering)) {
    if (letter === "y") return approvePlan(state, answering, "default");
    if (letter === "a") return approvePlan(state, answering, "acceptEdits");
    if (letter === "n") return open("reason", "");
  }
  switch (letter) {
    case "y":
      return decided(state, answering, allowOnce());
    case "n":
      return decided(state, answering, deny(""));
    case "x":
      return decided(state, answering, deny("", true));
    case "d":
      return open("reason", "");
    case "s":
      return open("session", answering.rule);
    case "a":
      return open("always", answering.rule);
    default:
      return open("command", commandOf(answering));
  }
}

const withAnswering = (state: ScreenState, answering: Answering, change: Partial<Answering>): Result => ({
  state: { ...state, answering: { ...answering, ...change } },
  effects: [],
});

/** Handles text that is not an answer key: it begins a free-text answer if one is accepted, else a prompt. */
export function withWords(state: ScreenState, answering: Answering, text: string): ScreenState {
  const { pressed } = answering;
  const words = pressed + text;
  if (acceptsFreeText(answering))
    return { ...state, answering: { ...withForm(answering, "own", words), pressed: "" } };
  return {
    ...state,
    editor: insertText(state.editor, words),
    historyAt: state.history.length,
    answering: { ...answering, pressed: "", hasFocus: false },
  };
}

/** Approves a plan; there is no rule to store, but a mode to continue in. */
function approvePlan(state: ScreenState, answering: Answering, mode: string): Result {
  const approved = decided(state, answering, allowOnce());
  const change: Effect = { type: "mode", mode };
  // Before the decision, so that the first step already runs in that mode; and after it, since some agents change the mode when they
  // leave plan mode.
  return { state: { ...approved.state, mode }, effects: [change, ...approved.effects, change] };
}

/** Removes an answered question from the screen without waiting for the daemon's confirmation. */
function done(state: ScreenState, effect: Effect): Result {
  return {
    state: { ...state, answering: state.answering && { ...state.answering, hasFocus: false } },
    effects: [effect],
  };
}

const decided = (state: ScreenState, { question }: Answering, decision: Decision): Result =>
  done(state, { type: "decide", questionId: question.id, decision });

function pressForm(state: ScreenState, answering: Answering, key: Key): Result {
  const stay = (change: Partial<Answering>): Result => withAnswering(state, answering, change);
  if (key.name === "escape") return stay({ form: "keys", editor: EMPTY_EDITOR });
  if (!isEnter(key)) {
    const editor = editText(answering.editor, key);
    return editor ? stay({ editor }) : stay({});
  }
  const text = answering.editor.text.trim();
  switch (answering.form) {
    case "reason":
      return decided(state, answering, deny(text));
    case "session":
      return text === "" ? stay({}) : decided(state, answering, allowForSession(text));
    case "always":
      return text === "" ? stay({}) : decided(state, answering, allowAlways(text, "project"));
    case "command": {
      const input = { ...parseInput(answering.question.inputJson), command: answering.editor.text };
      return text === "" ? stay({}) : decided(state, answering, allowOnce(JSON.stringify(input)));
    }
    case "own":
      if (text === "" && !askedNow(answering)?.optional) return stay({ form: "keys" });
      return answered(state, answering, [...answering.chosen, ...(text === "" ? [] : [text])]);
    case "keys":
      return stay({});
  }
}

/** Numbers choose, arrows move and Enter accepts the highlighted option; Space toggles options if several may be chosen. */
function pressOption(
  state: ScreenState,
  answering: Answering,
  asked: UserQuestion,
  key: Key,
): Result | undefined {
  const { options, multiSelect } = asked;
  const stay = (change: Partial<Answering>): Result =>
    withAnswering(state, answering, { pressed: "", ...change });
  const count = entriesOf(asked).length;
  if (key.name === "up") return stay({ marked: (answering.marked + count - 1) % count });
  if (key.name === "down") return stay({ marked: (answering.marked + 1) % count });
  if (key.name === "escape")
    return done(state, {
      type: "decide",
      questionId: answering.question.id,
      decision: deny("The user declined to answer."),
    });
  if (isEnter(key)) return chooseOption(state, answering, asked, answering.marked);
  const written = writtenBy(key);
  if (written === "") return stay({});
  const number = /^\d$/.test(written) ? Number(written) - 1 : undefined;
  const at = number ?? (written === " " ? answering.marked : undefined);
  if (answering.pressed !== "" || at === undefined || options.length === 0)
    return acceptsFreeText(answering)
      ? { state: withWords(state, answering, written), effects: [] }
      : undefined;
  if (at < 0 || at >= count) return stay({});
  const option = options[at];
  // Toggling one of several options does not answer yet.
  if (multiSelect && option) return stay({ chosen: toggled(answering.chosen, option.label), marked: at });
  return number === undefined
    ? chooseOption(state, answering, asked, at)
    : stay({ pressed: written, marked: at });
}

const toggled = (chosen: readonly string[], label: string) =>
  chosen.includes(label) ? chosen.filter((known) => known !== label) : [...chosen, label];

/** Answers with an option and the toggled ones, or opens a line for free text. */
function chooseOption(state: ScreenState, answering: Answering, asked: UserQuestion, at: number): Result {
  const option = asked.options[at];
  if (!option && asked.onlyOptions) return answered(state, answering, []);
  if (!option) return withAnswering(state, withForm(answering, "own", asked.initial), { marked: at });
  return answered(
    state,
    answering,
    asked.multiSelect && answering.chosen.length > 0 ? answering.chosen : [option.label],
  );
}

/** Moves to the next question, or submits all answers after the last. */
function answered(state: ScreenState, answering: Answering, labels: readonly string[]): Result {
  const { question, index } = answering;
  const asked = question.userQuestions[index];
  const answers = { ...answering.answers, ...(asked && { [asked.question]: labels.join(", ") }) };
  const isWhole = index + 1 >= question.userQuestions.length;
  const next = {
    ...answering,
    // If the answers are rejected, all questions are asked again.
    answers: isWhole ? {} : answers,
    index: isWhole ? 0 : index + 1,
    marked: 0,
    chosen: [],
    form: "keys" as const,
    editor: EMPTY_EDITOR,
    offset: 0,
  };
  const shown = { ...state, answering: next };
  return isWhole
    ? done(shown, { type: "answer", questionId: question.id, answers })
    : { state: shown, effects: [] };
}
