/** A word that is being typed and can be completed. */
export interface Trigger {
  readonly kind: "command" | "file";
  /** What was typed of it, without the sign. */
  readonly query: string;
  /** Where the sign stands. */
  readonly start: number;
  readonly end: number;
}

/** What is being typed at the caret: a command at the very beginning, or a file or subagent after an @. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([\w:-]*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", start: 0, end: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", query, start: caret - query.length - 1, end: caret };
}

/** A text with a word in the place of what was typed of it, and where the caret is then. */
export function completed(
  text: string,
  { start, end }: Trigger,
  word: string,
): { readonly text: string; readonly caret: number } {
  // Behind a folder people continue typing.
  const gap = word.endsWith("/") ? "" : " ";
  const rest = text.slice(end).replace(/^ /, "");
  return { text: `${text.slice(0, start)}${word}${gap}${rest}`, caret: start + word.length + gap.length };
}
