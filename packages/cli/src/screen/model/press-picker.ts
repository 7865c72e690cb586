import type { RewindScope } from "@agentwire/api";
import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import { isEnter } from "../../terminal/answer-keys.ts";
import type { Key } from "../../terminal/line-editor.ts";
import { EMPTY_EDITOR, editText } from "./editor.ts";
import type { Effect, Pressed } from "./effects.ts";
import { chosenEntry, type Entry, isInPrompt, moved, newPicker, type Picker } from "./picker.ts";
import { type ScreenState, withNote } from "./state.ts";

type Result = Pressed<ScreenState>;

const only = (state: ScreenState, ...effects: Effect[]): Result => ({ state, effects });

/** Handles a key while a list is open; undefined for keys that close the list and then go to the prompt. */
export function pressPicker(state: ScreenState, picker: Picker, key: Key, nowMs: number): Result | undefined {
  const isNext = key.name === "down" || (key.ctrl && key.name === "n");
  const isPrevious = key.name === "up" || (key.ctrl && key.name === "p");
  if (isNext || isPrevious) return only({ ...state, picker: moved(picker, isNext ? 1 : -1) });
  if (key.name === "escape") return only({ ...state, picker: undefined });
  if (isEnter(key) || key.name === "tab") {
    const entry = chosenEntry(picker);
    if (entry) return choose({ ...state, picker: undefined }, picker, entry, key.name === "tab", nowMs);
    return key.name === "tab" || !isInPrompt(picker)
      ? only(state)
      : pressEnterUnmatched(state, picker, nowMs);
  }
  if (isInPrompt(picker)) {
    const editor = editText(state.editor, key);
    if (!editor) return only(state);
    const query = queryIn(picker, editor.text.slice(0, editor.at));
    const next = query === undefined ? undefined : { ...picker, query, chosen: 0 };
    const looking = picker.kind === "files" && query !== undefined && query !== picker.query;
    return only({ ...state, editor, picker: next }, ...(looking ? [{ type: "find" } as const] : []));
  }
  const query = editText({ text: picker.query, at: picker.query.length }, key);
  return only({ ...state, picker: query ? { ...picker, query: query.text, chosen: 0 } : picker });
}

/** Enter sends an unmatched word as typed, but only on the second press if it may be a misspelled name. */
function pressEnterUnmatched(state: ScreenState, { kind, query, foundFor }: Picker, nowMs: number) {
  if (kind === "files" && foundFor === query) return undefined;
  const closed = { ...state, picker: undefined };
  if (kind === "files") return only(closed);
  return only(withNote(closed, `no command /${query}; Enter again sends it as a prompt`, nowMs));
}

/** The query of a list that belongs to a word of the prompt; undefined once the word has ended. */
function queryIn({ kind }: Picker, before: string): string | undefined {
  const [, word] = (kind === "commands" ? /^\/(\S*)$/ : /(?:^|\s)@(\S*)$/).exec(before) ?? [];
  return word;
}

function choose(state: ScreenState, { kind }: Picker, entry: Entry, isTab: boolean, nowMs: number): Result {
  switch (kind) {
    case "commands":
      return chooseCommand(state, entry, isTab, nowMs);
    case "files": {
      const { text, at } = state.editor;
      const start = text.lastIndexOf("@", at - 1);
      const put = `${text.slice(0, start)}@${entry.value} `;
      return only({ ...state, editor: { text: put + text.slice(at), at: put.length } });
    }
    case "history":
      return only({ ...state, editor: { text: entry.value, at: entry.value.length } });
    case "sessions":
      return only(state, entry.value === "" ? { type: "new" } : { type: "open", sessionId: entry.value });
    case "models":
      return only({ ...state, model: entry.value }, { type: "model", model: entry.value });
    case "modes":
      return only({ ...state, mode: entry.value }, { type: "mode", mode: entry.value });
    case "rewind":
      return only(state, { type: "rewind", promptId: entry.value });
    case "rewindScope": {
      const [scope = "", promptId = ""] = entry.value.split(" ");
      return promptId === ""
        ? only(state)
        : only(state, { type: "rewind", promptId, scope: Number(scope) as RewindScope });
    }
    case "trust":
      return only(state, { type: "trust", isTrusted: entry.value !== "" });
  }
}

/** The screen's own commands; the agent's are sent to the agent. */
const OWN: readonly Entry[] = [
  { label: "/new", detail: "start another session in this folder", value: "new" },
  {
    label: "/sessions",
    also: "/resume",
    detail: "list sessions and switch to one (Ctrl-G)",
    value: "sessions",
  },
  { label: "/model", detail: "choose the model", value: "model" },
  {
    label: "/mode",
    also: "/permissions",
    detail: "choose the permission mode (Shift-Tab changes between three)",
    value: "mode",
  },
  {
    label: "/rewind",
    detail: "go back to an earlier prompt: conversation, files or both (Esc Esc)",
    value: "rewind",
  },
  { label: "/keys", also: "/help", detail: "list the keys", value: "keys" },
  { label: "/quit", also: "/exit", detail: "leave; the session is kept (Ctrl-D)", value: "quit" },
];

/** The list of commands. */
export function commandPicker({ facts }: ScreenState): Picker {
  const names = facts?.info?.slashCommands ?? [];
  return newPicker("commands", "Commands", withCommands(names.map((name) => ({ name, words: "" }))));
}

/** The screen's own commands and those of the agent. */
export function withCommands(
  theirs: readonly { readonly name: string; readonly words: string }[],
): readonly Entry[] {
  const known = new Set(OWN.map(({ label }) => label));
  const entries = theirs.map(({ name, words }) => ({
    label: `/${name.replace(/^\//, "")}`,
    detail: words === "" ? "agent command" : words,
    value: "",
  }));
  return [...OWN, ...entries.filter(({ label }) => !known.has(label))];
}

/** Runs one of the screen's own commands, typed with or without an argument; undefined for all other prompts. */
export function ownCommand(state: ScreenState, text: string, nowMs: number): Result | undefined {
  const [, name = "", about = ""] = /^(\/\w+)(?:[ \t]+(.+))?$/.exec(text) ?? [];
  const entry = OWN.find(({ label, also }) => label === name || also === name);
  if (!entry) return undefined;
  if (about === "") return chooseCommand(state, entry, false, nowMs);
  const cleared = { ...state, editor: EMPTY_EDITOR, note: undefined };
  if (entry.value === "model" && /\s/.test(about))
    return only(withNote(state, `${about} is not a model: names have no spaces`, nowMs, true));
  if (entry.value === "model") return only({ ...cleared, model: about }, { type: "model", model: about });
  if (entry.value !== "mode") return undefined;
  if (isOneOf(PERMISSION_MODES, about))
    return only({ ...cleared, mode: about }, { type: "mode", mode: about });
  return only(withNote(state, `unknown mode ${about}: one of ${PERMISSION_MODES.join(", ")}`, nowMs, true));
}

const isOneOf = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word);

function chooseCommand(state: ScreenState, { label, value }: Entry, isTab: boolean, nowMs: number): Result {
  if (value === "") {
    const text = `${label} `;
    if (isTab) return only({ ...state, editor: { text, at: text.length } });
    return only({ ...state, editor: EMPTY_EDITOR }, { type: "send", text: label, pictures: [] });
  }
  const cleared = { ...state, editor: EMPTY_EDITOR };
  switch (value) {
    case "new":
      return only(cleared, { type: "new" });
    case "sessions":
      return only(
        { ...cleared, picker: newPicker("sessions", "Sessions", undefined) },
        { type: "list", kind: "sessions" },
      );
    case "model":
      return only(
        { ...cleared, picker: newPicker("models", "Models", undefined) },
        { type: "list", kind: "models" },
      );
    case "mode":
      return only(openModes(cleared));
    case "rewind":
      return openRewind(cleared);
    case "keys":
      return only(cleared, { type: "show", what: "help" });
    case "quit":
      return only(cleared, { type: "leave" });
    default:
      return only(withNote(cleared, `unknown command ${label}`, nowMs, true));
  }
}

const MODE_WORDS: Readonly<Record<(typeof PERMISSION_MODES)[number], string>> = {
  default: "asks before changing anything",
  acceptEdits: "edits files without asking",
  plan: "reads and plans without changing anything",
  bypassPermissions: "does everything without asking",
  dontAsk: "does what rules allow, denies the rest",
  auto: "the agent decides what to ask about",
};

/** The list of modes. */
function openModes(state: ScreenState): ScreenState {
  const entries = PERMISSION_MODES.map((mode) => ({ label: mode, detail: MODE_WORDS[mode], value: mode }));
  return { ...state, picker: newPicker("modes", "Permission modes", entries) };
}

/** The list of prompts to go back to. */
export function openRewind(state: ScreenState): Result {
  const entries = state.prompts.toReversed().map(({ id, text }) => ({
    label: text.split("\n", 1)[0] ?? "",
    detail: "",
    value: id,
  }));
  return only({ ...state, picker: newPicker("rewind", "Go back to before", entries) });
}
