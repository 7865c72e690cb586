import { linesOf, type Row, type Span, shown, span, wrap } from "./span.ts";

/** What gives code its colors; it is loaded when the first code is there, so until then code has none. */
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

/** Whether a text can't be painted with all its colors before `loadHighlighter` is done. */
export const needsHighlighter = (text: string): boolean => highlighter === undefined && CODE.test(text);
const CODE = /```|~~~/;

/** Whether code was painted that is still without colors. */
export const wantsHighlighter = (): boolean => isWanted && highlighter === undefined;
let isWanted = false;

/** Code, a little to the right, broken only where the screen ends. */
export function codeRows(text: string, language: string, columns: number): Row[] {
  isWanted = true;
  const clean = shown(text);
  const spans = highlighter?.(clean, language) ?? [span(clean)];
  const first = [span("  ")];
  return linesOf(spans).flatMap((line) => wrap(line, { columns, first, byWord: false }));
}
