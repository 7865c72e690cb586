import type { Inline } from "@agentwire/view/markdown";
import { both, LOOK, type Span, shown, span } from "./span.ts";

/** The inline elements of a line as styled spans. */
export function inlineSpans(pieces: readonly Inline[], style: string): Span[] {
  return pieces.flatMap((piece) => pieceSpans(piece, style));
}

function pieceSpans(piece: Inline, style: string): Span[] {
  switch (piece.type) {
    case "text":
      return [span(shown(piece.text), style)];
    case "code":
      return [span(shown(piece.text), both(style, LOOK.cyan))];
    case "strong":
      return inlineSpans(piece.inside, both(style, LOOK.bold));
    case "emphasis":
      return inlineSpans(piece.inside, both(style, LOOK.italic));
    case "struck":
      return inlineSpans(piece.inside, both(style, LOOK.struck));
    case "image":
      return [span(`[image: ${shown(piece.text)}]`, both(style, LOOK.dim))];
    case "link": {
      const inside = inlineSpans(piece.inside, both(style, LOOK.underline));
      const isBare = inside.map(({ text }) => text).join("") === shown(piece.href);
      return isBare ? inside : [...inside, span(` (${shown(piece.href)})`, both(style, LOOK.dim))];
    }
  }
}
