/** A text in parts that can be parsed separately, so that earlier parts need not be parsed again as the text grows. */
export interface Segments {
  readonly parts: readonly string[];
  /** The text beyond the limit up to which it is parsed as Markdown. */
  readonly rest: string;
}

/** Text beyond this limit is shown unformatted: nobody reads a message of that length as prose, and each mark costs an element. */
const MAX_READ_CHARS = 100_000;
/** Longer parts are split at the next line, even within a list or a table. */
const MAX_PART_CHARS = 16_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that may continue the block before an empty line. */
const CONTINUATION = /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/;

/** Splits a growing text at the empty lines between its blocks, resuming each time at the start of the last part. */
export class Segmenter {
  #parts: readonly string[] = [];
  /** The text up to the last part, which may still grow. */
  #settled = "";

  split(text: string): Segments {
    const read = text.slice(0, MAX_READ_CHARS);
    if (!read.startsWith(this.#settled)) this.#forget();
    const fresh = partsOf(read.slice(this.#settled.length));
    const parts = [...this.#parts, ...fresh];
    this.#parts = parts.slice(0, -1);
    this.#settled = read.slice(0, read.length - (fresh.at(-1)?.length ?? 0));
    return { parts, rest: text.slice(MAX_READ_CHARS) };
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
    const isTooLong = fence === "" && next - from > MAX_PART_CHARS;
    // An unfinished line may still change its meaning: "1" may become "1. item".
    const isBeginning = isAfterGap && line.endsWith("\n") && !CONTINUATION.test(line);
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

/** The fence of the code block that is open after a line; empty if none is. */
function fenceAfter(line: string, open: string): string {
  const [, marks = ""] = FENCE.exec(line) ?? [];
  if (open === "") return marks;
  const isClosing = marks.startsWith(open) && line.trim() === marks;
  return isClosing ? "" : open;
}
