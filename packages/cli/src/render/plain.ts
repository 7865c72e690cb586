/** Characters that could mislead a terminal or a reader: control characters, and those that change the direction of text. */
const MISLEADING = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Makes untrusted text safe to show: characters that would affect the terminal are escaped. */
export function plain(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(MISLEADING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Like `plain`, but as one line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = flat(text.slice(0, max * 4));
  return line.length > max || text.length > max * 4 ? `${line.slice(0, max - 1)}…` : line;
}

/** Like `oneLine`, but keeps the end, for texts such as paths. */
export function oneLineEnd(text: string, max: number): string {
  const line = flat(text.slice(-max * 4));
  return line.length > max || text.length > max * 4 ? `…${line.slice(1 - max)}` : line;
}

const flat = (text: string) => plain(text).replace(/\s+/g, " ").trim();
