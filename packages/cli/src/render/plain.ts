/** What a terminal or a reader's eye could be misled by: control characters, and those that turn the direction of text. */
const MISLEADING = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from outside as it may be shown: what would act on the terminal is spelled out. */
export function plain(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(MISLEADING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same in one line of at most so many characters. */
export function oneLine(text: string, most: number): string {
  const line = flat(text.slice(0, most * 4));
  return line.length > most || text.length > most * 4 ? `${line.slice(0, most - 1)}…` : line;
}

/** The same where the end tells more than the beginning, as in paths. */
export function oneLineEnd(text: string, most: number): string {
  const line = flat(text.slice(-most * 4));
  return line.length > most || text.length > most * 4 ? `…${line.slice(1 - most)}` : line;
}

const flat = (text: string) => plain(text).replace(/\s+/g, " ").trim();
