import { both, LOOK, type Span, span } from "./span.ts";

/** Longer code is not highlighted, because that would block the screen. */
const MAX_CHARS = 20_000;

const MARKUP = /<span class="([^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#x27;", "'"],
]);

/** Creates a function that turns code into colored spans, or returns undefined for unknown languages. */
export async function createHighlighter(): Promise<
  (text: string, language: string) => readonly Span[] | undefined
> {
  const { default: highlighter } = await import("highlight.js/lib/common");
  return (text, language) =>
    text.length <= MAX_CHARS && highlighter.getLanguage(language)
      ? spansOf(highlighter.highlight(text, { language, ignoreIllegals: true }).value)
      : undefined;
}

/** Parses the highlighter's HTML, which contains only spans and text. */
function spansOf(html: string): readonly Span[] {
  const spans: Span[] = [];
  const looks = [""];
  for (const [piece, classes] of html.matchAll(MARKUP)) {
    const look = looks.at(-1) ?? "";
    if (classes !== undefined) looks.push(both(look, lookOf(classes)));
    else if (piece === "</span>") looks.pop();
    else spans.push(span(ENTITIES.get(piece) ?? piece, look));
  }
  return spans;
}

const lookOf = (classes: string) =>
  classes
    .split(" ")
    .map((name) => LOOKS.get(name.replace("hljs-", "")) ?? "")
    .find((look) => look !== "") ?? "";

/** The style of each kind of token. */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ["keyword", LOOK.magenta],
  ["literal", LOOK.magenta],
  ["built_in", LOOK.cyan],
  ["type", LOOK.cyan],
  ["title", LOOK.blue],
  ["section", LOOK.blue],
  ["name", LOOK.blue],
  ["attr", LOOK.cyan],
  ["attribute", LOOK.cyan],
  ["number", LOOK.yellow],
  ["string", LOOK.green],
  ["regexp", LOOK.green],
  ["symbol", LOOK.yellow],
  ["variable", LOOK.yellow],
  ["comment", LOOK.dim],
  ["meta", LOOK.dim],
  ["addition", LOOK.green],
  ["deletion", LOOK.red],
]);
