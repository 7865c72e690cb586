/** A line being edited, with the cursor position. */
export interface Line {
  readonly text: string;
  readonly at: number;
}

/** A key press as reported by Node. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly shift?: boolean;
  readonly meta?: boolean;
}

export const EMPTY: Line = { text: "", at: 0 };

/** A line with the cursor at its end. */
export const lineOf = (text: string): Line => ({ text, at: text.length });

/** Applies a key to a line. */
export function edit(line: Line, key: Key): Line {
  if (key.ctrl) return (CONTROL.get(key.name ?? "") ?? same)(line);
  const moved = NAMED.get(key.name ?? "");
  if (moved) return key.meta && key.name === "backspace" ? deleteWord(line) : moved(line);
  if (key.meta) return line;
  const typed = key.sequence ?? "";
  return /^\P{Cc}+$/u.test(typed) ? insert(line, typed) : line;
}

/** Inserts text at the cursor. */
export function insert({ text, at }: Line, more: string): Line {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length };
}

/** A surrogate pair counts as one character. */
const before = ({ text, at }: Line) => Math.max(0, at - (isPair(text, at - 2) ? 2 : 1));
const after = ({ text, at }: Line) => Math.min(text.length, at + (isPair(text, at) ? 2 : 1));
const isPair = (text: string, at: number) => at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;

const same = (line: Line) => line;
const start = ({ text }: Line): Line => ({ text, at: 0 });
const end = ({ text }: Line): Line => lineOf(text);
const left = (line: Line): Line => ({ text: line.text, at: before(line) });
const right = (line: Line): Line => ({ text: line.text, at: after(line) });
const cut = (line: Line, from: number, to: number): Line => ({
  text: line.text.slice(0, from) + line.text.slice(to),
  at: from,
});
const backspace = (line: Line) => cut(line, before(line), line.at);
const remove = (line: Line) => cut(line, line.at, after(line));

function deleteWord(line: Line): Line {
  const kept = line.text.slice(0, line.at).trimEnd();
  return cut(line, kept.lastIndexOf(" ") + 1, line.at);
}

const NAMED: ReadonlyMap<string, (line: Line) => Line> = new Map([
  ["left", left],
  ["right", right],
  ["home", start],
  ["end", end],
  ["backspace", backspace],
  ["delete", remove],
]);

const CONTROL: ReadonlyMap<string, (line: Line) => Line> = new Map([
  ["a", start],
  ["e", end],
  ["b", left],
  ["f", right],
  ["h", backspace],
  ["d", remove],
  ["w", deleteWord],
  ["u", (line: Line) => cut(line, 0, line.at)],
  ["k", (line: Line) => ({ text: line.text.slice(0, line.at), at: line.at })],
]);
