import { useEffect, useState } from "preact/hooks";

type Highlighter = typeof import("../text/highlighter.ts");

let known: Highlighter | undefined;

/** The syntax highlighter once it is loaded; until then, code stays plain. */
export function useHighlighter(): Highlighter | undefined {
  const [highlighter, setHighlighter] = useState(known);
  useEffect(() => {
    import("../text/highlighter.ts").then(
      (loaded) => {
        known = loaded;
        setHighlighter(loaded);
      },
      // If it can't be loaded, code stays plain.
      () => {},
    );
  }, []);
  return highlighter;
}
