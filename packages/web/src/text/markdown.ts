import { type Inline, parseInline } from "./inline.ts";

/** A block of a text. */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly type: "paragraph"; readonly inside: readonly Inline[] }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly type: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly type: "rule" };

/** An item of a list; a box to tick is shown, not ticked. */
export interface ListItem {
  readonly ticked: boolean | undefined;
  readonly blocks: readonly Block[];
}

const DEEPEST = 8;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const BULLET = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads Markdown as agents write it; there is no HTML in it, and what is not understood is text. */
export function parseMarkdown(text: string, depth = 0): readonly Block[] {
  return blocksOf(text.split("\n"), depth);
}

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at++;
      continue;
    }
    const [block, next] = blockAt(lines, at, line, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(
  lines: readonly string[],
  at: number,
  line: string,
  depth: number,
): readonly [Block, number] {
  const fence = FENCE.exec(line);
  if (fence) return codeFrom(lines, at, fence[1] ?? "```", fence[2] ?? "");
  const heading = HEADING.exec(line);
  if (heading) {
    const title = (heading[2] ?? "").replace(/\s+#+\s*$/, "");
    return [{ type: "heading", level: heading[1]?.length ?? 1, inside: parseInline(title) }, at + 1];
  }
  if (RULE.test(line)) return [{ type: "rule" }, at + 1];
  if (depth < DEEPEST && QUOTE.test(line)) {
    const end = endWhere(lines, at, (each) => !QUOTE.test(each));
    const inner = lines.slice(at, end).map((each) => each.replace(QUOTE, ""));
    return [{ type: "quote", blocks: blocksOf(inner, depth + 1) }, end];
  }
  if (depth < DEEPEST && BULLET.test(line)) return listFrom(lines, at, depth);
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-"))
    return tableFrom(lines, at);
  const end = Math.max(
    at + 1,
    endWhere(lines, at + 1, (each) => each.trim() === "" || startsBlock(each)),
  );
  return [{ type: "paragraph", inside: parseInline(lines.slice(at, end).join("\n").trim()) }, end];
}

const startsBlock = (line: string) =>
  FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || BULLET.test(line);

function endWhere(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (isEnd(lines[at] ?? "")) return at;
  return lines.length;
}

/** A fence that is not closed runs to the end: its text is still being written. */
function codeFrom(
  lines: readonly string[],
  at: number,
  fence: string,
  language: string,
): readonly [Block, number] {
  const end = endWhere(
    lines,
    at + 1,
    (line) => line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), "") === "",
  );
  return [{ type: "code", language, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function listFrom(lines: readonly string[], at: number, depth: number): readonly [Block, number] {
  const [, indent = "", marker = "-"] = BULLET.exec(lines[at] ?? "") ?? [];
  const isOrdered = /\d/.test(marker);
  const items: ListItem[] = [];
  let next = at;
  while (next < lines.length) {
    const match = BULLET.exec(lines[next] ?? "");
    if (!match || (match[1]?.length ?? 0) > indent.length + 1 || /\d/.test(match[2] ?? "") !== isOrdered)
      break;
    const inner = [match[3] ?? ""];
    const width = (match[1]?.length ?? 0) + (match[2]?.length ?? 1) + 1;
    next++;
    for (; next < lines.length; next++) {
      const line = lines[next] ?? "";
      const own = /^\s*/.exec(line)?.[0].length ?? 0;
      if (line.trim() === "") {
        // An empty line ends the list unless what follows belongs to it.
        const after = lines[next + 1] ?? "";
        if (!/^\s{2,}\S/.test(after) && !isSibling(after, indent, isOrdered)) break;
      } else if (own <= indent.length && startsBlock(line)) break;
      else if (own <= indent.length && (lines[next - 1] ?? "").trim() === "") break;
      inner.push(line.slice(Math.min(own, width)));
    }
    const [, box, rest] = /^\[([ xX])\]\s+(.*)$/.exec(inner[0] ?? "") ?? [];
    if (rest !== undefined) inner[0] = rest;
    items.push({ ticked: box === undefined ? undefined : box !== " ", blocks: blocksOf(inner, depth + 1) });
    if ((lines[next] ?? "").trim() === "" && isSibling(lines[next + 1] ?? "", indent, isOrdered)) next++;
    if ((lines[next] ?? "").trim() === "") break;
  }
  return [
    { type: "list", start: isOrdered ? Number.parseInt(marker, 10) : undefined, items },
    Math.max(next, at + 1),
  ];
}

function isSibling(line: string, indent: string, isOrdered: boolean): boolean {
  const match = BULLET.exec(line);
  return (
    match !== null && (match[1]?.length ?? 0) <= indent.length + 1 && /\d/.test(match[2] ?? "") === isOrdered
  );
}

function tableFrom(lines: readonly string[], at: number): readonly [Block, number] {
  const head = cells(lines[at] ?? "");
  const end = endWhere(lines, at + 2, (line) => line.trim() === "" || !line.includes("|"));
  const rows = lines.slice(at + 2, end).map((line) => {
    const row = cells(line);
    return head.map((_, column) => row[column] ?? []);
  });
  return [{ type: "table", head, rows }, end];
}

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .slice(0, 50)
    .map((cell) => parseInline(cell.trim()));
