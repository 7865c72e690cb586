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

/** Converts the tokens of a line to pieces. */
export function toInline(tokens: readonly Token[]): readonly Inline[] {
  return piecesUntilClose(tokens.values());
}

/** Consumes tokens up to the end of the innermost open mark. */
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
      // A message must not trigger a download: an external image becomes a link.
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

/** Whether a data URL contains a safe image; SVG does not count, because it may contain scripts. */
export const isInlineImage = (href: string): boolean =>
  /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(href);

/** A link; an inline image is not a valid target. */
const linkTo = (href: string, inside: readonly Inline[]): Inline =>
  isInlineImage(href) ? { type: "emphasis", inside } : { type: "link", href, inside };

/** Merges adjacent text pieces. */
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
