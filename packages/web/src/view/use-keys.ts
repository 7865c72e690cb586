import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** An action bound to a single key. */
export interface KeyChoice {
  readonly key: string;
  readonly run: () => void;
}

/** Keys pressed this soon after a card appears are ignored: they were meant for the text being typed or for the previous question. */
const DEAF_MS = 500;

/**
 * Handles single keys while `isReady`: those pressed inside the card and, for the first card, also those pressed elsewhere in the
 * session. Keys pressed in text fields and in other cards are left alone.
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
    // After an answer, the next card gets the focus before the user has read it.
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
