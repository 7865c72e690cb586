import { oneLine } from "../../render/plain.ts";
import { found, isInPrompt, type Picker } from "../model/picker.ts";
import { both, cutRow, inVisualOrder, LOOK, type Row, rowWidth, span } from "./span.ts";

/** A list to choose from, scrolled to its highlighted entry. */
export function pickerRows(picker: Picker, columns: number, max: number): Row[] {
  const { title, entries, query, chosen } = picker;
  const head: Row = [
    span(title, LOOK.bold),
    ...(isInPrompt(picker) ? [] : [span(`  ${query}`), span("▏", LOOK.cyan)]),
    span("   ↑↓ choose · Enter selects · Esc closes", LOOK.dim),
  ];
  if (!entries) return [cutRow(head, columns), [span("  looking …", LOOK.dim)]];
  const all = found(picker);
  if (all.length === 0) return [cutRow(head, columns), [span("  nothing matches", LOOK.dim)]];
  const room = Math.max(1, max - 2);
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), all.length - room));
  const seen = all.slice(from, from + room);
  const width = Math.min(
    Math.max(...seen.map(({ label }) => rowWidth([span(oneLine(label, 60))]))),
    Math.floor(columns * 0.6),
  );
  const rows = seen.map(({ label, detail }, index) => {
    const isMarked = from + index === chosen;
    const name = oneLine(label, 60);
    const space = " ".repeat(Math.max(0, width - rowWidth([span(name)])));
    return cutRow(
      [
        span(isMarked ? "❯ " : "  ", LOOK.cyan),
        ...inVisualOrder([span(name, isMarked ? both(LOOK.bold, LOOK.cyan) : "")]),
        span(`${space}  `),
        ...inVisualOrder([span(oneLine(detail, 120), LOOK.dim)]),
      ],
      columns,
    );
  });
  const left = all.length - from - seen.length;
  return [cutRow(head, columns), ...rows, ...(left > 0 ? [[span(`  … ${left} more`, LOOK.dim)]] : [])];
}
