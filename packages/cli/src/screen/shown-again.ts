import type { Item } from "@agentwire/view/timeline";
import { itemRows, type PaintOptions } from "./paint/item-rows.ts";
import { type Row, wrap } from "./paint/span.ts";

/** Finished output: an item of the conversation, or rows of the screen itself. */
type Said = { readonly item: Item } | { readonly rows: readonly Row[] };

/** Keeps the latest finished output, to redraw it at another width or expanded. */
export class ShownAgain {
  #said: { readonly said: Said; readonly chars: number }[] = [];
  #chars = 0;
  readonly #minChars: number;

  /** Keeps at least `minChars` characters, if there are that many. */
  constructor(minChars: number) {
    this.#minChars = minChars;
  }

  /** Adds output; returns the rows to show now. */
  add(said: Said, options: PaintOptions): Row[] {
    const chars = sizeOf(said);
    this.#said.push({ said, chars });
    this.#chars += chars;
    if (this.#chars > 2 * this.#minChars) this.#trim();
    return rowsOf(said, options);
  }

  /** The rows of everything kept. */
  all(options: PaintOptions): Row[] {
    return this.#said.flatMap(({ said }) => rowsOf(said, options));
  }

  /** The folded output since the latest prompt, expanded. */
  unfolded(options: PaintOptions): Row[] {
    const from = this.#said.findLastIndex(({ said }) => "item" in said && said.item.kind === "prompt");
    return this.#said.slice(from + 1).flatMap(({ said }) => {
      const whole = rowsOf(said, { ...options, isExpanded: true });
      return whole.length > rowsOf(said, { ...options, isExpanded: false }).length ? whole : [];
    });
  }

  #trim(): void {
    let from = 0;
    for (; from < this.#said.length - 1 && this.#chars > this.#minChars; from++)
      this.#chars -= this.#said[from]?.chars ?? 0;
    this.#said = this.#said.slice(from);
  }
}

function rowsOf(said: Said, options: PaintOptions): Row[] {
  if ("rows" in said) return said.rows.flatMap((row) => wrap(row, options));
  const rows = itemRows(said.item, options);
  return rows.length > 0 && said.item.kind !== "turn" ? [[], ...rows] : rows;
}

/** Its approximate size in memory. */
function sizeOf(said: Said): number {
  if ("rows" in said) return 100 * said.rows.length;
  const { item } = said;
  if (item.kind === "call") {
    const { inputJson, result } = item;
    return 500 + inputJson.length + (result ? result.text.length + result.structuredJson.length : 0);
  }
  return 200 + ("text" in item ? item.text.length : 0);
}
