import type { Token } from "markdown-it";

/** A piece of a line. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly inside: readonly Inline[] }
  | { readonly type: "image"; readonly source: string; readonly text: string }
  | { readonly type: "link"; readonly href: string; readonly inside: readonly Inline[] };

const MARKS = new Map([
  ["strong_open", "strong"],
  ["em_open", "emphasis"],
  ["s_open", "struck"],
] as const) as ReadonlyMap<string, "strong" | "emphasis" | "struck">;

/** The pieces that the tokens of a line stand for. */
export function toInline(tokens: readonly Token[]): readonly Inline[] {
  return piecesUntilClose(tokens.values());
}

/** Takes what is left of the innermost mark that is open. */
function piecesUntilClose(tokens: IterableIterator<Token>): readonly Inline[] {
  const pieces: Inline[] = [];
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const token = next.value;
    if (token.nesting < 0) break;
    pieces.push(pieceOf(token, tokens));
  }
  return joined(pieces);
}

function pieceOf(token: Token, tokens: IterableIterator<Token>): Inline {
  const mark = MARKS.get(token.type);
  if (mark) return { type: mark, inside: piecesUntilClose(tokens) };
  switch (token.type) {
    case "link_open":
      return linkTo(String(token.attrGet("href") ?? ""), piecesUntilClose(tokens));
    case "image": {
      const source = String(token.attrGet("src") ?? "");
      if (isInlineImage(source)) return { type: "image", source, text: token.content };
      // Nothing is fetched because a message says so: a picture that is elsewhere is a link.
      return {
        type: "link",
        href: source,
        inside: [{ type: "text", text: `Image: ${token.content || source}` }],
      };
    }
    case "code_inline":
      return { type: "code", text: token.content };
    case "softbreak":
    case "hardbreak":
      return { type: "text", text: "\n" };
    default:
      return { type: "text", text: token.content };
  }
}

/** Whether an address holds a picture itself; one that holds anything else, as SVG with its scripts, is none. */
export const isInlineImage = (href: string): boolean =>
  /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(href);

/** A picture is no place to go to. */
const linkTo = (href: string, inside: readonly Inline[]): Inline =>
  isInlineImage(href) ? { type: "emphasis", inside } : { type: "link", href, inside };

/** One piece for texts that follow each other. */
function joined(pieces: readonly Inline[]): readonly Inline[] {
  const all: Inline[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length > 0) all.push({ type: "text", text: words.join("") });
    words = [];
  };
  for (const piece of pieces) {
    if (piece.type === "text") {
      if (piece.text !== "") words.push(piece.text);
      continue;
    }
    flush();
    all.push(piece);
  }
  flush();
  return all;
}
