import { useEffect, useMemo, useState } from "preact/hooks";
import { useHighlighter } from "./use-highlighter.ts";

interface CodeProps {
  readonly text: string;
  /** The language tag; empty if there is none. */
  readonly language: string;
}

/** How long code must stay unchanged before it is highlighted, so that streaming code is not highlighted with every delta. */
const SETTLED_MS = 250;

/** Code, highlighted once it is complete and if its language is known. */
export function CodeText({ text, language }: CodeProps) {
  return language === "" ? <code>{text}</code> : <Colored text={text} language={language} />;
}

function Colored({ text, language }: CodeProps) {
  const highlighter = useHighlighter();
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const lines = useMemo(() => {
    const known = highlighter?.languageOf(language);
    return known === undefined || settled === "" ? undefined : highlighter?.highlightLines(settled, known);
  }, [highlighter, settled, language]);
  if (!lines || settled !== text) return <code>{text}</code>;
  return (
    <code>
      {lines.map((pieces, line) => [
        line > 0 && "\n",
        ...pieces.map(({ text: words, kind }, index) =>
          kind === "" ? (
            words
          ) : (
            <span key={`${line} ${index}`} class={kind}>
              {words}
            </span>
          ),
        ),
      ])}
    </code>
  );
}
