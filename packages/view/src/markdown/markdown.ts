import MarkdownIt, { type Token } from "markdown-it";
import { type Inline, isInlineImage, toInline } from "./inline.ts";

/** A block of a text. */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly type: "paragraph"; readonly inside: readonly Inline[] }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly type: "table";
      readonly aligned: readonly Alignment[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly type: "rule" };

/** The alignment of a table column; empty if unspecified. */
export type Alignment = "left" | "center" | "right" | "";

/** An item of a list; a checkbox is only displayed. */
export interface ListItem {
  readonly ticked: boolean | undefined;
  readonly blocks: readonly Block[];
}

/** Beyond this depth the parser drops content. */
const MAX_NESTING = 40;
/** The parser may scan a whole line repeatedly; a line longer than this was not written by hand. */
const MAX_LINE_CHARS = 32_000;

const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING });
// Only addresses with a scheme become links: "main.rs" is a file, not a host.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// Only web and mail addresses become links: nothing here may run code or open files.
parser.validateLink = (href) =>
  isInlineImage(href) || (/^(?:https?:\/\/[^\s]|mailto:[^\s])/i.test(href) && URL.canParse(href));

/** Parses Markdown into a tree that contains no HTML; unsupported syntax becomes text. */
export function parseMarkdown(text: string): readonly Block[] {
  if (hasEndlessLine(text)) return [plain(text)];
  const tokens = parser.parse(text, {});
  if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return [plain(text)];
  return blocksUntilClose(tokens.values());
}

/** A text without any formatting. */
export const plain = (text: string): Block => ({ type: "paragraph", inside: [{ type: "text", text }] });

function hasEndlessLine(text: string): boolean {
  for (let at = 0; text.length - at > MAX_LINE_CHARS; ) {
    const end = text.indexOf("\n", at);
    if ((end < 0 ? text.length : end) - at > MAX_LINE_CHARS) return true;
    at = end + 1;
  }
  return false;
}

type Tokens = IterableIterator<Token>;

/** Consumes the blocks up to the end of the innermost open one. */
function blocksUntilClose(tokens: Tokens): readonly Block[] {
  const blocks: Block[] = [];
  for (const token of untilClose(tokens)) {
    const block = blockOf(token, tokens);
    if (block) blocks.push(block);
  }
  return blocks;
}

function* untilClose(tokens: Tokens): Generator<Token> {
  for (let next = tokens.next(); !next.done && next.value.nesting >= 0; next = tokens.next())
    yield next.value;
}

function blockOf(token: Token, tokens: Tokens): Block | undefined {
  switch (token.type) {
    case "heading_open":
      return { type: "heading", level: Number(token.tag.slice(1)), inside: lineUntilClose(tokens) };
    case "paragraph_open":
      return { type: "paragraph", inside: lineUntilClose(tokens) };
    case "fence":
    case "code_block":
      return {
        type: "code",
        language: /^[\w+#.-]*/.exec(token.info.trim())?.[0] ?? "",
        text: token.content.replace(/\n$/, ""),
      };
    case "blockquote_open":
      return { type: "quote", blocks: blocksUntilClose(tokens) };
    case "bullet_list_open":
      return { type: "list", start: undefined, items: itemsUntilClose(tokens) };
    case "ordered_list_open":
      return { type: "list", start: Number(token.attrGet("start") ?? 1), items: itemsUntilClose(tokens) };
    case "table_open":
      return tableUntilClose(tokens);
    case "hr":
      return { type: "rule" };
    default:
      return token.content === "" ? undefined : plain(token.content);
  }
}

function lineUntilClose(tokens: Tokens): readonly Inline[] {
  return [...untilClose(tokens)].flatMap(({ children }) => toInline(children ?? []));
}

function itemsUntilClose(tokens: Tokens): readonly ListItem[] {
  const items: ListItem[] = [];
  for (const _ of untilClose(tokens)) items.push(withBox(blocksUntilClose(tokens)));
  return items;
}

/** Extracts a checkbox, `[ ]` or `[x]`, from the beginning of an item. */
function withBox(blocks: readonly Block[]): ListItem {
  const [first, ...others] = blocks;
  const [text, ...pieces] = first?.type === "paragraph" ? first.inside : [];
  const [box, mark] = (text?.type === "text" && /^\[([ xX])\]\s/.exec(text.text)) || [];
  if (box === undefined || text?.type !== "text") return { ticked: undefined, blocks };
  const inside: readonly Inline[] = [{ type: "text", text: text.text.slice(box.length) }, ...pieces];
  return { ticked: mark !== " ", blocks: [{ type: "paragraph", inside }, ...others] };
}

function tableUntilClose(tokens: Tokens): Block {
  const rows: (readonly Inline[])[][] = [];
  const aligned: Alignment[] = [];
  for (const _ of untilClose(tokens))
    for (const _ of untilClose(tokens)) {
      const row: (readonly Inline[])[] = [];
      for (const cell of untilClose(tokens)) {
        if (cell.type === "th_open") aligned.push(alignmentOf(cell));
        row.push(lineUntilClose(tokens));
      }
      rows.push(row);
    }
  const [head = [], ...body] = rows;
  return { type: "table", aligned, head, rows: body };
}

const alignmentOf = (cell: Token): Alignment =>
  (/^text-align:(left|center|right)$/.exec(String(cell.attrGet("style") ?? ""))?.[1] ?? "") as Alignment;
