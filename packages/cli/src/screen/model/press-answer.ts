import type { UserQuestion } from "@agentwire/api";
import { parseInput, textField } from "@agentwire/view/text";
import { allowAlways, allowForSession, allowOnce, type Decision, deny } from "../../ask/answer.ts";
import type { Key } from "../../terminal/line-editor.ts";
import { type Answering, askedNow, entriesOf, isPlan, withForm } from "./answering.ts";
import { EMPTY_EDITOR, editText } from "./editor.ts";
import type { Effect, Pressed } from "./effects.ts";
import type { ScreenState } from "./state.ts";

type Result = Pressed<ScreenState>;

/** Keys that come this soon after a question were meant for something else. */
const TOO_SOON_MS = 400;
const PAGE = 5;

/** What a key does while a question has the keys. */
export function pressAnswer(state: ScreenState, answering: Answering, key: Key, nowMs: number): Result {
  const stay = (change: Partial<Answering>): Result => ({
    state: { ...state, answering: { ...answering, ...change } },
    effects: [],
  });
  if (answering.form !== "keys") return pressForm(state, answering, key);
  if (nowMs - answering.sinceMs < TOO_SOON_MS) return stay({});
  if (key.name === "pagedown") return stay({ offset: answering.offset + PAGE });
  if (key.name === "pageup") return stay({ offset: Math.max(0, answering.offset - PAGE) });
  const asked = askedNow(answering);
  if (asked) return pressOption(state, answering, asked, key);
  const typed = key.ctrl ? "" : (key.sequence ?? "").toLowerCase();
  if (isPlan(answering)) {
    if (typed === "y") return carriedOut(state, answering, "default");
    if (typed === "a") return carriedOut(state, answering, "acceptEdits");
    if (typed === "n") return stay(withForm(answering, "reason", ""));
    if (typed === "s") return stay({});
  }
  switch (typed) {
    case "y":
      return decided(state, answering, allowOnce());
    case "n":
      return decided(state, answering, deny(""));
    case "x":
      return decided(state, answering, deny("", true));
    case "d":
      return stay(withForm(answering, "reason", ""));
    case "s":
      return stay(withForm(answering, "session", answering.rule));
    case "a":
      return stay(withForm(answering, "always", answering.rule));
    case "e": {
      const command = textField(parseInput(answering.question.inputJson), "command");
      return command === "" ? stay({}) : stay(withForm(answering, "command", command));
    }
    default:
      return key.name === "escape" ? decided(state, answering, deny("", true)) : stay({});
  }
}

/** A plan has no rule; whoever accepts it says how the session continues. */
function carriedOut(state: ScreenState, answering: Answering, mode: string): Result {
  const approved = decided(state, answering, allowOnce());
  const change: Effect = { type: "mode", mode };
  // Before the decision, so that the first step is already taken in that mode; and after it, since some agents leave plan mode by
  // themselves and change the mode again.
  return { state: { ...approved.state, mode }, effects: [change, ...approved.effects, change] };
}

/** A question is gone from the screen once it is answered; the daemon's word for it follows. */
function done(state: ScreenState, effect: Effect): Result {
  return {
    state: { ...state, answering: state.answering && { ...state.answering, hasFocus: false } },
    effects: [effect],
  };
}

const decided = (state: ScreenState, { question }: Answering, decision: Decision): Result =>
  done(state, { type: "decide", questionId: question.id, decision });

function pressForm(state: ScreenState, answering: Answering, key: Key): Result {
  const stay = (change: Partial<Answering>): Result => ({
    state: { ...state, answering: { ...answering, ...change } },
    effects: [],
  });
  if (key.name === "escape") return stay({ form: "keys", editor: EMPTY_EDITOR });
  if (key.name !== "return" && key.name !== "enter") {
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

/** Numbers choose, arrows move and Enter takes what is marked; Space marks several where several may be chosen. */
function pressOption(state: ScreenState, answering: Answering, asked: UserQuestion, key: Key): Result {
  const { options, multiSelect } = asked;
  const stay = (change: Partial<Answering>): Result => ({
    state: { ...state, answering: { ...answering, ...change } },
    effects: [],
  });
  const count = entriesOf(asked).length;
  const toggle = (label: string) =>
    answering.chosen.includes(label)
      ? answering.chosen.filter((known) => known !== label)
      : [...answering.chosen, label];
  if (key.name === "up") return stay({ marked: (answering.marked + count - 1) % count });
  if (key.name === "down") return stay({ marked: (answering.marked + 1) % count });
  if (key.name === "escape")
    return done(state, {
      type: "decide",
      questionId: answering.question.id,
      decision: deny("The user declined to answer."),
    });
  const isEnter = key.name === "return" || key.name === "enter";
  const number = /^[1-9]$/.test(key.sequence ?? "") ? Number(key.sequence) - 1 : undefined;
  const isSpace = key.sequence === " ";
  const at = number ?? (isEnter || isSpace ? answering.marked : undefined);
  if (at === undefined || at >= count) return stay({});
  const option = options[at];
  if (!option && asked.onlyOptions) return answered(state, answering, []);
  if (!option) return stay({ ...withForm(answering, "own", asked.initial), marked: at });
  if (multiSelect && !isEnter) return stay({ chosen: toggle(option.label), marked: at });
  const chosen = multiSelect && answering.chosen.length > 0 ? answering.chosen : [option.label];
  return answered(state, answering, chosen);
}

/** The next question, or all answers where there is none. */
function answered(state: ScreenState, answering: Answering, labels: readonly string[]): Result {
  const { question, index } = answering;
  const asked = question.userQuestions[index];
  const answers = { ...answering.answers, ...(asked && { [asked.question]: labels.join(", ") }) };
  const isWhole = index + 1 >= question.userQuestions.length;
  const next = {
    ...answering,
    // Answers that are refused are asked for from the beginning.
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
