import type { Token } from "markdown-it";

/** A piece of a line. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly inside: readonly Inline[] }
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
      return { type: "link", href: String(token.attrGet("href") ?? ""), inside: piecesUntilClose(tokens) };
    case "image":
      // Nothing is fetched because a message says so: the picture is a link.
      return {
        type: "link",
        href: String(token.attrGet("src") ?? ""),
        inside: [{ type: "text", text: token.content || "image" }],
      };
    case "code_inline":
      return { type: "code", text: token.content };
    case "softbreak":
    case "hardbreak":
      return { type: "text", text: "\n" };
    default:
      return { type: "text", text: token.content };
  }
}

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
