import { type Key, type Line, lineOf } from "../../terminal/line-editor.ts";

/** A multi-line text being edited, with the cursor position. */
export type Editor = Line;

export const EMPTY_EDITOR: Editor = lineOf("");

const segmenter = new Intl.Segmenter();

/** Applies a key to a text; undefined for keys with another meaning. */
export function editText(editor: Editor, key: Key): Editor | undefined {
  if (key.ctrl) return CONTROL.get(key.name ?? "")?.(editor);
  if (key.meta) return META.get(key.name ?? "")?.(editor);
  const named = NAMED.get(key.name ?? "");
  if (named) return named(editor);
  const typed = key.sequence ?? "";
  return /^\P{Cc}+$/u.test(typed) ? insertText(editor, typed) : undefined;
}

/** Inserts text at the cursor. */
export function insertText({ text, at }: Editor, more: string): Editor {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length };
}

/** Moves the cursor a line up or down, in the same column; undefined at the first or last line. */
export function moveLine({ text, at }: Editor, by: -1 | 1): Editor | undefined {
  const start = startOfLine(text, at);
  const column = at - start;
  if (by < 0) {
    if (start === 0) return undefined;
    const above = startOfLine(text, start - 1);
    return { text, at: Math.min(above + column, start - 1) };
  }
  const end = endOfLine(text, at);
  if (end === text.length) return undefined;
  return { text, at: Math.min(end + 1 + column, endOfLine(text, end + 1)) };
}

const startOfLine = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The start of the grapheme before the cursor. */
function before({ text, at }: Editor): number {
  const from = Math.max(0, at - 40);
  const last = [...segmenter.segment(text.slice(from, at))].at(-1);
  return last ? from + last.index : 0;
}

function after({ text, at }: Editor): number {
  const [first] = segmenter.segment(text.slice(at, at + 40));
  return at + (first?.segment.length ?? 0);
}

const wordBefore = ({ text, at }: Editor) => /\S*\s*$/.exec(text.slice(0, at))?.index ?? 0;
const wordAfter = ({ text, at }: Editor) => at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);

const to =
  (place: (editor: Editor) => number) =>
  (editor: Editor): Editor => ({
    text: editor.text,
    at: place(editor),
  });

function cut({ text }: Editor, from: number, until: number): Editor {
  return { text: text.slice(0, from) + text.slice(until), at: from };
}

const backspace = (editor: Editor) => cut(editor, before(editor), editor.at);
const remove = (editor: Editor) => cut(editor, editor.at, after(editor));
const home = to(({ text, at }) => startOfLine(text, at));
const end = to(({ text, at }) => endOfLine(text, at));
const deleteWord = (editor: Editor) => cut(editor, wordBefore(editor), editor.at);

const NAMED: ReadonlyMap<string, (editor: Editor) => Editor> = new Map([
  ["left", to(before)],
  ["right", to(after)],
  ["home", home],
  ["end", end],
  ["backspace", backspace],
  ["delete", remove],
]);

const CONTROL: ReadonlyMap<string, (editor: Editor) => Editor> = new Map([
  ["a", home],
  ["e", end],
  ["b", to(before)],
  ["f", to(after)],
  ["h", backspace],
  ["d", remove],
  ["w", deleteWord],
  ["left", to(wordBefore)],
  ["right", to(wordAfter)],
  ["u", (editor: Editor) => cut(editor, startOfLine(editor.text, editor.at), editor.at)],
  ["k", (editor: Editor) => cut(editor, editor.at, endOfLine(editor.text, editor.at))],
]);

const META: ReadonlyMap<string, (editor: Editor) => Editor> = new Map([
  ["b", to(wordBefore)],
  ["f", to(wordAfter)],
  ["left", to(wordBefore)],
  ["right", to(wordAfter)],
  ["d", (editor: Editor) => cut(editor, editor.at, wordAfter(editor))],
  ["backspace", deleteWord],
]);
