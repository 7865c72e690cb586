import { linesOf, type Row, type Span, shown, span, wrap } from "./span.ts";

/** Colors code. Loaded when the first code is shown, so until then code has no colors. */
type Highlighter = (text: string, language: string) => readonly Span[] | undefined;

let highlighter: Highlighter | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter, once. */
export function loadHighlighter(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { createHighlighter } = await import("./highlight.ts");
  highlighter = await createHighlighter();
}

/** Whether painting a text in color requires `loadHighlighter` first. */
export const needsHighlighter = (text: string): boolean => highlighter === undefined && CODE.test(text);
const CODE = /```|~~~/;

/** Whether code was painted without colors because the highlighter was not loaded. */
export const wantsHighlighter = (): boolean => isWanted && highlighter === undefined;
let isWanted = false;

/** Indented code, broken only at the edge of the screen. */
export function codeRows(text: string, language: string, columns: number): Row[] {
  isWanted = true;
  const clean = shown(text);
  const spans = highlighter?.(clean, language) ?? [span(clean)];
  const first = [span("  ")];
  return linesOf(spans).flatMap((line) => wrap(line, { columns, first, byWord: false }));
}
