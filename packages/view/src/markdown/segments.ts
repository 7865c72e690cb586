/** A text in parts that can be read one by one: what was written does not have to be read again when more is. */
export interface Segments {
  readonly parts: readonly string[];
  /** What is beyond the part of a text that is read as Markdown. */
  readonly rest: string;
}

/** Beyond this a text is shown as it is written: a message of that length is not read as prose, and each mark costs an element. */
const MOST_READ_CHARS = 100_000;
/** Longer parts are taken apart at the next line, even within a list or a table. */
const MOST_PART_CHARS = 16_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that may continue with what was before an empty line. */
const GOES_ON = /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/;

/** Takes a growing text apart at the empty lines between its blocks, each time from where its last part began. */
export class Segmenter {
  #parts: readonly string[] = [];
  /** The text up to the last part, which may still grow. */
  #settled = "";

  split(text: string): Segments {
    const read = text.slice(0, MOST_READ_CHARS);
    if (!read.startsWith(this.#settled)) this.#forget();
    const fresh = partsOf(read.slice(this.#settled.length));
    const parts = [...this.#parts, ...fresh];
    this.#parts = parts.slice(0, -1);
    this.#settled = read.slice(0, read.length - (fresh.at(-1)?.length ?? 0));
    return { parts, rest: text.slice(MOST_READ_CHARS) };
  }

  #forget(): void {
    this.#parts = [];
    this.#settled = "";
  }
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [from, at, fence, isAfterGap] = [0, 0, "", false];
  while (at < text.length) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    const line = text.slice(at, next);
    const isTooLong = fence === "" && next - from > MOST_PART_CHARS;
    // It is not known yet how a line begins that is still being written: "1" may become "1. item".
    const isBeginning = isAfterGap && line.endsWith("\n") && !GOES_ON.test(line);
    if (at > from && (isTooLong || (fence === "" && isBeginning))) {
      parts.push(text.slice(from, at));
      from = at;
    }
    isAfterGap = line.trim() === "";
    fence = fenceAfter(line, fence);
    at = next;
  }
  parts.push(text.slice(from));
  return parts;
}

/** The marks of the code block that is open after a line; empty if none is. */
function fenceAfter(line: string, open: string): string {
  const [, marks = ""] = FENCE.exec(line) ?? [];
  if (open === "") return marks;
  const isClosing = marks.startsWith(open) && line.trim() === marks;
  return isClosing ? "" : open;
}
