/** The place in view: an item, and how far its top is from the top of the frame. */
export interface Anchor {
  readonly key: string;
  /** The number of its event. */
  readonly seq: number;
  readonly offset: number;
}

const END_PX = 48;

/** The first item that is seen. */
export function anchorOf(frame: HTMLElement): Anchor | undefined {
  const top = frame.getBoundingClientRect().top;
  const items = rowsOf(frame);
  // Items are in order, so this takes few looks, however many there are.
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = items[middle]?.getBoundingClientRect();
    if (box && box.bottom <= top) low = middle + 1;
    else high = middle;
  }
  const first = items[low];
  if (!(first instanceof HTMLElement)) return undefined;
  const { key = "", seq } = first.dataset;
  return { key, seq: Number(seq), offset: first.getBoundingClientRect().top - top };
}

/** Puts the item back to where it was, whatever has come before it. */
export function restore(frame: HTMLElement, anchor: Anchor | undefined): void {
  if (!anchor) return;
  const row = [...rowsOf(frame)].find(
    (each) => each instanceof HTMLElement && each.dataset.key === anchor.key,
  );
  if (!row) return;
  const moved = row.getBoundingClientRect().top - frame.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(moved) >= 1) frame.scrollTop += moved;
}

/** Brings the item with a number, or the next after it, to the top; false if it is not there. */
export function scrollTo(frame: HTMLElement, seq: number): boolean {
  const rows = rowsOf(frame);
  const row = [...rows].find((each) => each instanceof HTMLElement && Number(each.dataset.seq) >= seq);
  const first = rows[0];
  const isBefore = first instanceof HTMLElement && Number(first.dataset.seq) > seq + 1000;
  if (!row || isBefore) return false;
  frame.scrollTop += row.getBoundingClientRect().top - frame.getBoundingClientRect().top - 8;
  return true;
}

/** Whether the last line is seen. */
export const isAtEnd = (frame: HTMLElement): boolean =>
  frame.scrollHeight - frame.scrollTop - frame.clientHeight < END_PX;

const rowsOf = (frame: HTMLElement): HTMLCollection | readonly Element[] =>
  frame.querySelector(":scope > ol")?.children ?? [];
