import { type Block, type ListItem, parseMarkdown } from "@agentwire/view/markdown";
import { codeRows } from "./code-rows.ts";
import { inlineSpans } from "./inline-spans.ts";
import { both, LOOK, linesOf, type Row, span, wrap } from "./span.ts";
import { tableRows } from "./table-rows.ts";

/** Markdown as rows of a given width. */
export function markdownRows(text: string, columns: number): Row[] {
  return blocksRows(parseMarkdown(text), columns);
}

/** Blocks are separated by an empty row. */
function blocksRows(blocks: readonly Block[], columns: number, isTight = false): Row[] {
  return blocks.flatMap((block, index) => [
    ...(index > 0 && !isTight ? [[]] : []),
    ...blockRows(block, Math.max(8, columns)),
  ]);
}

function blockRows(block: Block, columns: number): Row[] {
  switch (block.type) {
    case "heading":
      return linesOf(
        inlineSpans(block.inside, both(LOOK.bold, block.level === 1 ? LOOK.underline : "")),
      ).flatMap((line) => wrap(line, { columns }));
    case "paragraph":
      return linesOf(inlineSpans(block.inside, "")).flatMap((line) => wrap(line, { columns }));
    case "code":
      return codeRows(block.text, block.language, columns);
    case "quote":
      return blocksRows(block.blocks, columns - 2).map((row) => [span("│ ", LOOK.dim), ...row]);
    case "list":
      return block.items.flatMap((item, index) =>
        itemRows(item, block.start === undefined ? "•" : `${block.start + index}.`, columns),
      );
    case "table":
      return tableRows(block, columns);
    case "rule":
      return [[span("─".repeat(Math.min(columns, 40)), LOOK.dim)]];
  }
}

function itemRows({ ticked, blocks }: ListItem, mark: string, columns: number): Row[] {
  const box = ticked === undefined ? mark : ticked ? "☑" : "☐";
  const indent = box.length + 1;
  return blocksRows(blocks, columns - indent, true).map((row, index) => [
    index === 0 ? span(`${box} `, LOOK.dim) : span(" ".repeat(indent)),
    ...row,
  ]);
}
