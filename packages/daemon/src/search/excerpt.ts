import { plainWord, WORD } from "../store/search-index.ts";

/** A part of an excerpt; `match` is whether it is one of the words searched for. */
export interface ExcerptPart {
  readonly text: string;
  readonly match: boolean;
}

interface Found {
  readonly from: number;
  readonly to: number;
  /** The index of the word that it matches. */
  readonly word: number;
}

const BEFORE = 60;
const LENGTH = 240;

/** The part of a text that contains most of the words. */
export function excerptOf(text: string, words: readonly string[]): readonly ExcerptPart[] {
  const found = occurrences(text, words);
  const best = found.reduce<Found | undefined>(
    (one, other) => (one && variety(found, one) >= variety(found, other) ? one : other),
    undefined,
  );
  const begin = wordStart(text, Math.max(0, (best?.from ?? 0) - BEFORE));
  const end = Math.min(text.length, begin + LENGTH);
  const parts: ExcerptPart[] = [];
  let at = begin;
  const add = (to: number, match: boolean) => {
    if (to > at) parts.push({ text: text.slice(at, to), match });
    at = Math.max(at, to);
  };
  if (begin > 0) parts.push({ text: "…", match: false });
  for (const { from, to } of found) {
    if (from < begin || to > end) continue;
    add(from, false);
    add(to, true);
  }
  add(end, false);
  if (end < text.length) parts.push({ text: "…", match: false });
  return parts;
}

function occurrences(text: string, words: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(WORD)) {
    const plain = plainWord(match[0]);
    const word = words.findIndex((wanted) => plain.startsWith(wanted));
    if (word >= 0) found.push({ from: match.index, to: match.index + match[0].length, word });
  }
  // Enough candidates.
  return found.slice(0, 500);
}

/** How many different words an excerpt starting at a match would contain. */
const variety = (found: readonly Found[], { from }: Found) =>
  new Set(found.filter((one) => one.from >= from && one.to <= from - BEFORE + LENGTH).map(({ word }) => word))
    .size;

/** The start of the word around a position. */
function wordStart(text: string, place: number): number {
  const space = text.slice(0, place).search(/\s\S*$/);
  return space < 0 || place - space > BEFORE ? place : space + 1;
}
