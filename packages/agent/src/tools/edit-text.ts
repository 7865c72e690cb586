import { lineEnding, withPlainEndings } from "./text-file.ts";

/** A text and its replacement. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** The text after a replacement and what was replaced, or why nothing was: how often the old text occurs. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly count: number; readonly found: string }
  | { readonly ok: false; readonly found: number };

/**
 * Replaces a piece of text, which must occur exactly once unless all occurrences are to be replaced. The model sees and writes
 * plain newlines; the text around the piece keeps its line endings.
 */
export function replaceText(text: string, replacement: Replacement): Replaced {
  const plain = withPlainEndings(text);
  const hasReturns = plain !== text;
  const old = hasReturns ? withPlainEndings(replacement.old) : replacement.old;
  const places = findPlaces(plain, old);
  if (places.length === 0 || (places.length > 1 && !replacement.all))
    return { ok: false, found: places.length };

  const ending = lineEnding(text);
  const position = positionsIn(text);
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    const inserted = keepQuotes(plain.slice(place, place + old.length), old, replacement.new);
    pieces.push(
      text.slice(end, position(place)),
      hasReturns ? withPlainEndings(inserted).replaceAll("\n", ending) : inserted,
    );
    end = position(place + old.length);
  }
  pieces.push(text.slice(end));
  const [first = 0] = places;
  const found = plain.slice(first, first + old.length);
  return { ok: true, text: pieces.join(""), count: places.length, found };
}

function findPlaces(text: string, wanted: string): readonly number[] {
  const exact = occurrences(text, wanted);
  if (exact.length > 0 || !/[‘’“”'"]/.test(wanted)) return exact;
  // Models can't always tell typographic quotes from straight ones; an inexact match counts only if it is unique.
  const similar = occurrences(straightQuotes(text), straightQuotes(wanted));
  return similar.length === 1 ? similar : [];
}

function occurrences(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

function straightQuotes(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
}

/** The new text, with the file's own quotes where it agrees with the old text at both ends. */
function keepQuotes(found: string, old: string, inserted: string): string {
  if (found === old) return inserted;
  const most = Math.min(old.length, inserted.length);
  let head = 0;
  while (head < most && old[head] === inserted[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === inserted.at(-1 - tail)) tail++;
  return (
    found.slice(0, head) + inserted.slice(head, inserted.length - tail) + found.slice(found.length - tail)
  );
}

/** Maps increasing positions in the text with plain line endings to positions in the original text. */
function positionsIn(text: string): (plain: number) => number {
  const returns: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2))
    returns.push(at - returns.length);
  let passed = 0;
  return (plain) => {
    while ((returns[passed] ?? Number.POSITIVE_INFINITY) < plain) passed++;
    return plain + passed;
  };
}
