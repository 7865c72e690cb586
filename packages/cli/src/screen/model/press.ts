import { isEnter } from "../../terminal/answer-keys.ts";
import type { Key } from "../../terminal/line-editor.ts";
import { acceptsFreeText } from "./answering.ts";
import { EMPTY_EDITOR, editText, insertText, moveLine } from "./editor.ts";
import type { Effect, Pressed } from "./effects.ts";
import { newPicker } from "./picker.ts";
import { pressAnswer, withWords } from "./press-answer.ts";
import { commandPicker, openRewind, ownCommand, pressPicker } from "./press-picker.ts";
import { isWorking, type ScreenState, withFreeQuestion, withNote } from "./state.ts";

type Result = Pressed<ScreenState>;

const only = (state: ScreenState, ...effects: Effect[]): Result => ({ state, effects });

/** Two keys within this time belong together. */
const TWICE_MS = 600;
/** How long pressing a key again counts after its hint. */
const AGAIN_MS = 2000;

/** Handles a key. */
export function press(state: ScreenState, key: Key, nowMs: number): Result {
  const always = pressAlways(withoutPressed(state), key, nowMs);
  if (always) return always;
  if (state.picker) {
    const { state: next, effects } =
      pressPicker(state, state.picker, key, nowMs) ??
      pressPrompt({ ...state, picker: undefined }, key, nowMs);
    return { state: next.picker ? next : withFreeQuestion(next, nowMs), effects };
  }
  const { answering } = state;
  if (!answering) return pressPrompt(state, key, nowMs);
  const answer = answering.hasFocus ? pressAnswer(state, answering, key, nowMs) : undefined;
  if (answer) return answer;
  const { state: next, effects } = pressPrompt(
    answering.hasFocus ? withWords(state, answering, "") : state,
    key,
    nowMs,
  );
  // Once the prompt is empty again, the question regains the focus.
  const isEmptied = next.editor.text === "" && (answering.hasFocus || state.editor.text !== "");
  return { state: isEmptied && !next.picker ? withFreeQuestion(next, nowMs) : next, effects };
}

/** Keys other than letters cancel a pending answer. */
const withoutPressed = (state: ScreenState): ScreenState =>
  state.answering && state.answering.pressed !== ""
    ? { ...state, answering: { ...state.answering, pressed: "" } }
    : state;

/** Inserts pasted text, which never sends or answers anything. */
export function paste(state: ScreenState, text: string): ScreenState {
  const clean = text.replace(/\r\n?/g, "\n");
  const { answering } = state;
  if (!answering?.hasFocus)
    return { ...state, editor: insertText(state.editor, clean), historyAt: state.history.length };
  const line = clean.replaceAll("\n", " ");
  if (answering.form !== "keys")
    return { ...state, answering: { ...answering, editor: insertText(answering.editor, line) } };
  return withWords(state, answering, acceptsFreeText(answering) ? line : clean);
}

/** Handles keys that mean the same everywhere. */
function pressAlways(state: ScreenState, key: Key, nowMs: number): Result | undefined {
  const isTab = key.name === "tab";
  if (isTab && key.shift) return only(...cycled(state));
  if (isTab && state.answering && !state.picker)
    return only({ ...state, answering: { ...state.answering, hasFocus: !state.answering.hasFocus } });
  if (!key.ctrl) return undefined;
  switch (key.name) {
    case "c":
      return pressInterrupt(state, nowMs);
    case "z":
      return only(state, { type: "suspend" });
    case "o":
      return unfolded({ ...state, isExpanded: !state.isExpanded }, nowMs);
    case "g":
      return only(
        { ...state, picker: newPicker("sessions", "Sessions", undefined) },
        { type: "list", kind: "sessions" },
      );
    default:
      return undefined;
  }
}

function unfolded(state: ScreenState, nowMs: number): Result {
  const words = state.isExpanded ? "expanded; Ctrl-O folds them again" : "folded";
  return only(withNote(state, `thinking and output are now ${words}`, nowMs), {
    type: "show",
    what: "folded",
  });
}

/** Ctrl-C cancels the innermost thing: the typed text, then the turn, then the screen. */
function pressInterrupt(state: ScreenState, nowMs: number): Result {
  if (state.picker) return only(withFreeQuestion({ ...state, picker: undefined }, nowMs));
  if (state.editor.text !== "" || state.pictures.length > 0)
    return only(
      withFreeQuestion(
        { ...state, editor: EMPTY_EDITOR, pictures: [], historyAt: state.history.length },
        nowMs,
      ),
    );
  if (isWorking(state) && nowMs - state.interruptMs > AGAIN_MS)
    return only({ ...state, interruptMs: nowMs }, { type: "interrupt" });
  if (nowMs - state.interruptMs <= AGAIN_MS) return only(state, { type: "leave" });
  const text = "press Ctrl-C again to leave; the session is kept";
  return only({ ...state, interruptMs: nowMs, note: { text, isBad: false, untilMs: nowMs + AGAIN_MS } });
}

const MODES = ["default", "acceptEdits", "plan"];

/** The next of the most used modes; the others are in the list. */
function cycled(state: ScreenState): [ScreenState, Effect] {
  const mode = MODES[(MODES.indexOf(state.mode || "default") + 1) % MODES.length] ?? "default";
  return [
    { ...state, mode },
    { type: "mode", mode },
  ];
}

function pressPrompt(state: ScreenState, key: Key, nowMs: number): Result {
  const { editor } = state;
  // Terminals send a line feed for Ctrl-J; Node calls it "enter", and the Enter key "return".
  if (key.name === "enter") return only(typed(state, "\n"));
  if (isEnter(key)) return pressEnter(state, key, nowMs);
  if (key.name === "escape") return pressEscape(state, key, nowMs);
  if (key.ctrl && key.name === "d" && editor.text === "") return only(state, { type: "leave" });
  if (key.ctrl && key.name === "l") return only(state, { type: "show", what: "screen" });
  if (key.ctrl && key.name === "v") return only(state, { type: "paste" });
  if (key.ctrl && key.name === "r") return only(openHistory(state));
  if (key.name === "up" || key.name === "down") return only(moved(state, key.name === "up" ? -1 : 1));
  if (key.name === "pageup" || key.name === "pagedown")
    return only({ ...state, scrolled: Math.max(0, state.scrolled + (key.name === "pageup" ? 10 : -10)) });
  if (key.sequence === "?" && editor.text === "") return only(state, { type: "show", what: "help" });
  const edited = editText(editor, key);
  if (!edited) return only(state);
  return withWord(
    { ...state, editor: edited, historyAt: state.history.length, scrolled: 0 },
    key.sequence ?? "",
  );
}

const typed = (state: ScreenState, text: string): ScreenState => ({
  ...state,
  editor: insertText(state.editor, text),
});

/** Opens the list of commands for a slash at the beginning, and of files for an at sign at the beginning of a word. */
function withWord(state: ScreenState, sequence: string): Result {
  const { text, at } = state.editor;
  if (sequence === "/" && text === "/")
    return only({ ...state, picker: commandPicker(state) }, { type: "list", kind: "commands" });
  if (sequence === "@" && /(?:^|\s)@$/.test(text.slice(0, at)))
    return only({ ...state, picker: newPicker("files", "Files", undefined) }, { type: "find" });
  return only(state);
}

/** Enter sends; with Shift or Alt, or after a backslash, it begins a new line. */
function pressEnter(state: ScreenState, key: Key, nowMs: number): Result {
  const { editor, pictures } = state;
  if (key.meta || key.shift) return only(typed(state, "\n"));
  if (editor.text.slice(0, editor.at).endsWith("\\"))
    return only({
      ...state,
      editor: insertText(
        { text: editor.text.slice(0, editor.at - 1) + editor.text.slice(editor.at), at: editor.at - 1 },
        "\n",
      ),
    });
  const text = editor.text.trimEnd();
  if (text.trim() === "" && pictures.length === 0) return only(state);
  const own = pictures.length === 0 ? ownCommand(state, text, nowMs) : undefined;
  if (own) return own;
  const history = state.history.at(-1) === text || text === "" ? state.history : [...state.history, text];
  return only(
    { ...state, editor: EMPTY_EDITOR, pictures: [], history, historyAt: history.length, scrolled: 0 },
    { type: "send", text, pictures },
  );
}

/** Escape interrupts the turn. While none runs, twice empties the prompt, or goes back to an earlier one if it is empty. */
function pressEscape(state: ScreenState, key: Key, nowMs: number): Result {
  // Pressing it repeatedly to stop a turn must not discard the typed text.
  if (isWorking(state)) return only({ ...state, escapeMs: 0 }, { type: "interrupt" });
  // Over a slow connection, two may arrive as one key.
  const isTwice = key.sequence === "\x1b\x1b" || nowMs - state.escapeMs <= TWICE_MS;
  if (!isTwice) return only({ ...state, escapeMs: nowMs });
  const now = { ...state, escapeMs: 0 };
  return state.editor.text === "" ? openRewind(now) : only({ ...now, editor: EMPTY_EDITOR });
}

/** The arrows move between the lines of the prompt and, from its first and last line, through earlier prompts. */
function moved(state: ScreenState, by: -1 | 1): ScreenState {
  const inside = moveLine(state.editor, by);
  if (inside) return { ...state, editor: inside };
  const historyAt = Math.min(state.history.length, Math.max(0, state.historyAt + by));
  if (historyAt === state.historyAt) return state;
  const text = state.history[historyAt] ?? "";
  return { ...state, historyAt, editor: { text, at: by < 0 ? 0 : text.length } };
}

function openHistory(state: ScreenState): ScreenState {
  const entries = [...new Set(state.history.toReversed())].map((text) => ({
    label: text.split("\n", 1)[0] ?? "",
    detail: "",
    value: text,
  }));
  return { ...state, picker: newPicker("history", "Earlier prompts", entries, state.editor.text) };
}
