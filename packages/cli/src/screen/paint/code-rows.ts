import { linesOf, type Row, type Span, shown, span, wrap } from "./span.ts";

/** What gives code its colors; it is loaded when the first code is there, so until then code has none. */
type Highlighter = (text: string, language: string) => readonly Span[] | undefined;

let highlighter: Highlighter | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter, once; `onLoaded` is called when code can be painted again with colors. */
export function loadHighlighter(onLoaded: () => void): void {
  loading ??= import("./highlight.ts").then(async ({ createHighlighter }) => {
    highlighter = await createHighlighter();
    onLoaded();
  });
}

/** Whether code was painted that is still without colors. */
export const wantsHighlighter = (): boolean => isWanted && loading === undefined;
let isWanted = false;

/** Code, a little to the right, broken only where the screen ends. */
export function codeRows(text: string, language: string, columns: number): Row[] {
  isWanted = true;
  const clean = shown(text);
  const spans = highlighter?.(clean, language) ?? [span(clean)];
  const first = [span("  ")];
  return linesOf(spans).flatMap((line) => wrap(line, { columns, first, byWord: false }));
}
