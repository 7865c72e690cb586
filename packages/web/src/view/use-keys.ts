import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Something that a single key does. */
export interface KeyChoice {
  readonly key: string;
  readonly run: () => void;
}

/** Keys in the first moment were meant for something else: for the words being typed, or for the question before. */
const DEAF_MS = 500;

/**
 * Hears single keys while it is ready: those pressed inside of its card, and if it is the first one also those pressed elsewhere in the
 * session. Fields in which people write and other cards keep theirs.
 */
export function useKeys(
  choices: readonly KeyChoice[],
  card: RefObject<HTMLElement | null>,
  isFirst: boolean,
  isReady: boolean,
): void {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, [isFirst, isReady]);
  useEffect(() => {
    const element = card.current;
    // After an answer the next card gets the focus, and has not been read yet.
    const arrive = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && element?.contains(relatedTarget)))
        since.current = performance.now();
    };
    element?.addEventListener("focusin", arrive);
    return () => element?.removeEventListener("focusin", arrive);
  }, []);
  useEffect(() => {
    if (!isReady) return;
    const hear = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isFor(event, card.current, isFirst)) return;
      const chosen = choices.find(({ key }) => key === event.key);
      if (!chosen || performance.now() - since.current < DEAF_MS) return;
      event.preventDefault();
      chosen.run();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  });
}

function isFor({ target }: KeyboardEvent, card: HTMLElement | null, isFirst: boolean): boolean {
  if (!(target instanceof HTMLElement) || document.querySelector("dialog[open]")) return false;
  if (target.closest("input, textarea, select, [contenteditable]")) return false;
  if (card?.contains(target)) return true;
  const isElsewhere = target === document.body || target.closest(".session, main") !== null;
  return isFirst && isElsewhere && target.closest(".card") === null;
}
