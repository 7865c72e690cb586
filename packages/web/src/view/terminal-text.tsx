import { useMemo } from "preact/hooks";
import { parseAnsi } from "../text/ansi.ts";

/** What a program wrote for a terminal, with its colors. */
export function TerminalText({ text }: { readonly text: string }) {
  const pieces = useMemo(() => parseAnsi(text), [text]);
  return (
    <>
      {pieces.map(({ text: words, style }, index) =>
        style === "" ? (
          words
        ) : (
          <span key={index} class={style}>
            {words}
          </span>
        ),
      )}
    </>
  );
}
