/** Two texts without their common lines at both ends, except for some context. */
export interface Differing {
  readonly before: string;
  readonly after: string;
  /** How many lines are left out at the start. */
  readonly skipped: number;
}

/** Compared at once, which is much faster than character by character. */
const BLOCK = 4096;

/** Leaves out the common start and end of two texts, except for `context` lines around the difference. */
export function withoutEqualEnds(before: string, after: string, context: number): Differing {
  const shorter = Math.min(before.length, after.length);
  const head = startOfLine(before, equalHead(before, after, shorter), context);
  const tail = equalTail(before, after, shorter - head);
  const end = endOfLine(before, before.length - tail, context);
  return {
    before: before.slice(head, end),
    after: after.slice(head, end - before.length + after.length),
    skipped: newlines(before, head),
  };
}

function equalHead(a: string, b: string, most: number): number {
  let at = 0;
  while (at + BLOCK <= most && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function equalTail(a: string, b: string, most: number): number {
  let length = 0;
  const block = (text: string) => text.slice(text.length - length - BLOCK, text.length - length);
  while (length + BLOCK <= most && block(a) === block(b)) length += BLOCK;
  while (length < most && a.charCodeAt(a.length - length - 1) === b.charCodeAt(b.length - length - 1))
    length++;
  return length;
}

/** The start of the line that is `earlier` lines before a position. */
function startOfLine(text: string, position: number, earlier: number): number {
  let start = position;
  for (let line = 0; line <= earlier && start > 0; line++) start = text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

/** The end of the line that is `later` lines after a position. */
function endOfLine(text: string, position: number, later: number): number {
  let end = position;
  for (let line = 0; line <= later && end < text.length; line++) {
    const newline = text.indexOf("\n", end);
    end = newline < 0 ? text.length : newline + 1;
  }
  return end;
}

function newlines(text: string, until: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < until; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
