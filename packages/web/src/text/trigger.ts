/** A word that is being typed and can be completed. */
export interface Trigger {
  readonly kind: "command" | "file";
  /** The typed part, without the leading `/` or `@`. */
  readonly query: string;
  /** The position of the `/` or `@`. */
  readonly start: number;
  readonly end: number;
}

/** The completable word at the caret: a command at the very start of the text, or a file or subagent after an `@`. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([\w:-]*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", start: 0, end: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", query, start: caret - query.length - 1, end: caret };
}

/** Replaces the typed part with the completed word; returns the new text and caret position. */
export function completed(
  text: string,
  { start, end }: Trigger,
  word: string,
): { readonly text: string; readonly caret: number } {
  // After a folder, people continue typing the path.
  const gap = word.endsWith("/") ? "" : " ";
  const rest = text.slice(end).replace(/^ /, "");
  return { text: `${text.slice(0, start)}${word}${gap}${rest}`, caret: start + word.length + gap.length };
}
