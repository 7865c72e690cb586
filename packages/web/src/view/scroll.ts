/** A scroll position: an item, and the distance of its top from the top of the frame. */
export interface Anchor {
  readonly key: string;
  /** The sequence number of the item's event. */
  readonly seq: number;
  readonly offset: number;
}

const END_PX = 48;

/** The first visible item. */
export function anchorOf(frame: HTMLElement): Anchor | undefined {
  const top = frame.getBoundingClientRect().top;
  const items = rowsOf(frame);
  // A binary search, since the items are in order.
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

/** Scrolls so that the item is where it was, whatever was inserted before it. */
export function restore(frame: HTMLElement, anchor: Anchor | undefined): void {
  if (!anchor) return;
  const row = [...rowsOf(frame)].find(
    (each) => each instanceof HTMLElement && each.dataset.key === anchor.key,
  );
  if (!row) return;
  const moved = row.getBoundingClientRect().top - frame.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(moved) >= 1) frame.scrollTop += moved;
}

/** Scrolls the item with a sequence number, or the next one, to the top; false if it is not loaded. */
export function scrollTo(frame: HTMLElement, seq: number): boolean {
  const rows = rowsOf(frame);
  const row = [...rows].find((each) => each instanceof HTMLElement && Number(each.dataset.seq) >= seq);
  const first = rows[0];
  const isBefore = first instanceof HTMLElement && Number(first.dataset.seq) > seq + 1000;
  if (!row || isBefore) return false;
  frame.scrollTop += row.getBoundingClientRect().top - frame.getBoundingClientRect().top - 8;
  return true;
}

/** Whether the frame is scrolled to the end. */
export const isAtEnd = (frame: HTMLElement): boolean =>
  frame.scrollHeight - frame.scrollTop - frame.clientHeight < END_PX;

const rowsOf = (frame: HTMLElement): HTMLCollection | readonly Element[] =>
  frame.querySelector(":scope > ol")?.children ?? [];
