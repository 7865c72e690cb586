/** A piece of a line. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "struck"; readonly inside: readonly Inline[] }
  | { readonly type: "link"; readonly href: string; readonly inside: readonly Inline[] };

/** Marks within marks beyond this are text. */
const DEEPEST = 6;
const LONGEST_MARKED = 2000;

const MARKS = [
  { mark: "**", type: "strong" },
  { mark: "__", type: "strong" },
  { mark: "~~", type: "struck" },
  { mark: "*", type: "emphasis" },
  { mark: "_", type: "emphasis" },
] as const;

/** Reads the marks of a text; whatever is not closed stands for itself. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const pieces: Inline[] = [];
  const searched: Searched = new Map();
  let plainFrom = 0;
  let at = 0;
  const take = (piece: Inline, length: number) => {
    if (at > plainFrom) pieces.push({ type: "text", text: text.slice(plainFrom, at) });
    pieces.push(piece);
    at += length;
    plainFrom = at;
  };
  while (at < text.length) {
    const next = special(text, at);
    if (next < 0) break;
    at = next;
    const found =
      text[at] === "\\"
        ? escaped(text, at)
        : (codeAt(text, at) ?? linkAt(text, at, depth) ?? markAt(text, at, depth, searched));
    if (found) take(found.piece, found.length);
    else at++;
  }
  if (plainFrom < text.length) pieces.push({ type: "text", text: text.slice(plainFrom) });
  return pieces;
}

interface Found {
  readonly piece: Inline;
  readonly length: number;
}

const SPECIAL = /[\\`*_~[]|https?:\/\//g;

function special(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

function escaped(text: string, at: number): Found | undefined {
  const next = text[at + 1] ?? "";
  return /[\\`*_~[\]()#>+.!|-]/.test(next) ? { piece: { type: "text", text: next }, length: 2 } : undefined;
}

function codeAt(text: string, at: number): Found | undefined {
  if (text[at] !== "`") return undefined;
  let ticks = 1;
  while (text[at + ticks] === "`" && ticks < 5) ticks++;
  const fence = "`".repeat(ticks);
  const end = text.indexOf(fence, at + ticks);
  if (end < 0 || end - at > LONGEST_MARKED) return undefined;
  const inner = text.slice(at + ticks, end);
  return {
    piece: { type: "code", text: inner.trim() === "" ? inner : inner.replace(/^ (.*) $/s, "$1") },
    length: end - at + ticks,
  };
}

function linkAt(text: string, at: number, depth: number): Found | undefined {
  if (text[at] === "h") {
    const [address = ""] = /^https?:\/\/[^\s<>"'`|]{1,1000}/.exec(text.slice(at, at + 1010)) ?? [];
    const href = address.replace(/[).,;:!?*_\]]+$/, "");
    return isSafe(href)
      ? { piece: { type: "link", href, inside: [{ type: "text", text: href }] }, length: href.length }
      : undefined;
  }
  if (text[at] !== "[" || depth >= DEEPEST) return undefined;
  const close = text.indexOf("](", at);
  if (close < 0 || close - at > LONGEST_MARKED) return undefined;
  const end = text.indexOf(")", close);
  if (end < 0 || end - close > LONGEST_MARKED) return undefined;
  const label = text.slice(at + 1, close);
  if (label === "" || label.includes("[")) return undefined;
  const href = text.slice(close + 2, end).trim();
  const inside = parseInline(label.replaceAll(/https?:/g, ""), depth + 1);
  // An address that is not of the web is text: nothing here may run, or reach into files.
  return isSafe(href) ? { piece: { type: "link", href, inside }, length: end + 1 - at } : undefined;
}

function markAt(text: string, at: number, depth: number, searched: Searched): Found | undefined {
  if (depth >= DEEPEST) return undefined;
  for (const { mark, type } of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    const start = at + mark.length;
    if (/[\s]/.test(text[start] ?? " ")) continue;
    // An underscore inside of a word belongs to it.
    if (mark.startsWith("_") && /\w/.test(text[at - 1] ?? "")) continue;
    const end = closing(text, mark, start, searched);
    if (end < 0) continue;
    return {
      piece: { type, inside: parseInline(text.slice(start, end), depth + 1) },
      length: end + mark.length - at,
    };
  }
  return undefined;
}

/** Up to where each mark was looked for in vain: what closes nothing for one opening closes nothing for the next. */
type Searched = Map<string, number>;

function closing(text: string, mark: string, start: number, searched: Searched): number {
  const from = Math.max(start + 1, searched.get(mark) ?? 0);
  for (let end = text.indexOf(mark, from); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (end - start > LONGEST_MARKED) break;
    const isSpaced = /\s/.test(text[end - 1] ?? " ");
    const isInWord = mark.startsWith("_") && /\w/.test(text[end + mark.length] ?? "");
    const isLonger = mark.length === 1 && (text[end + 1] === mark || text[end - 1] === mark);
    if (!isSpaced && !isInWord && !isLonger) return end;
  }
  searched.set(mark, start + LONGEST_MARKED);
  return -1;
}

const isSafe = (href: string) => /^https?:\/\/[^\s]+$/i.test(href) && URL.canParse(href);
