import { useEffect, useState } from "preact/hooks";

type Highlighter = typeof import("../text/highlighter.ts");

let known: Highlighter | undefined;

/** What colors code, once it is loaded; without it code is plain. */
export function useHighlighter(): Highlighter | undefined {
  const [highlighter, setHighlighter] = useState(known);
  useEffect(() => {
    import("../text/highlighter.ts").then(
      (loaded) => {
        known = loaded;
        setHighlighter(loaded);
      },
      // Plain code can be read as well.
      () => {},
    );
  }, []);
  return highlighter;
}
