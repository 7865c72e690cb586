import { isDeepStrictEqual } from "node:util";
import { parseJson } from "@agentwire/protocol/support";

/** Compares JSON values; null counts as absent. */
export function same(expected: unknown, actual: unknown): boolean {
  return isDeepStrictEqual(expected ?? null, actual ?? null);
}

/** Compares texts, ignoring differences in white space and JSON formatting; if the recording was shortened, only the beginning counts. */
export function sameText(expected: string, actual: string): boolean {
  const [wanted, got] = [fold(expected), fold(actual)];
  const end = cutAt(wanted);
  if (end !== undefined) return got.startsWith(wanted.slice(0, end).trimEnd());
  return wanted === got || sameJson(expected, actual);
}

/** Compares texts, ignoring ids, addresses, times and counts. */
export function sameMaskedText(expected: string, actual: string): boolean {
  return sameText(mask(expected), mask(actual));
}

/** Whether one text is the beginning of the other. */
export function isBeginning(expected: string, actual: string): boolean {
  if (expected === "" || actual === "") return false;
  return expected.startsWith(actual) || actual.startsWith(expected);
}

/** Whether two texts are equal as JSON. */
export function sameJson(expected: string, actual: string): boolean {
  const wanted = parseContainer(expected);
  return wanted !== undefined && same(wanted, parseContainer(actual));
}

/** A text without the mark of the recording that it was shortened. */
export function withoutCut(text: string): string {
  return text.slice(0, cutAt(text));
}

const CUT = /…\[\+\d+ chars\]$/;
const MIN_RUN = 200;
const MAX_RUN = 7;

function cutAt(text: string): number | undefined {
  return CUT.exec(text)?.index;
}

const fold = (text: string) => text.replace(/\s+/g, " ").trim();

function parseContainer(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
  [/127\.0\.0\.1:\d+/g, "<address>"],
  [/\b[ab][0-9a-z]{8}(?:[0-9a-z]{8})?\b(?=[.\s]|$)/g, "<task>"],
  [/~\d+(?= tokens)/g, "<count>"],
  [/\b\d+(?:\.\d+)?(?:ms|s)\b/g, "<time>"],
];

function mask(text: string): string {
  return MASKS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text);
}

/** Shortens long runs of one character to `<c x count>`: nobody needs to compare or print a megabyte of them. */
export function collapseRuns(text: string): string {
  if (text.length < MIN_RUN) return text;
  let collapsed = "";
  let start = 0;
  while (start < text.length) {
    let end = start + 1;
    while (end < text.length && text[end] === text[start]) end++;
    const length = end - start;
    collapsed += length < MIN_RUN ? text.slice(start, end) : `<${text[start]} x ${length}>`;
    start = end;
  }
  return collapsed;
}

/** Undoes `collapseRuns`, for recordings that were stored that way. */
export function expandRuns(text: string): string {
  return text.replace(
    new RegExp(`<(.) x (\\d{1,${MAX_RUN}})>`, "gs"),
    (_, character: string, count: string) => character.repeat(Number(count)),
  );
}
