import { useEffect, useRef } from "preact/hooks";

/** Something that a single key does. */
export interface KeyChoice {
  readonly key: string;
  readonly run: () => void;
}

/** Keys in the first moment were meant for something else: for the words being typed, or for the question before. */
const DEAF_MS = 500;

/** Hears single keys while it is active, wherever in the session somebody is, but for fields in which people write. */
export function useKeys(choices: readonly KeyChoice[], isActive: boolean): void {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, [isActive]);
  useEffect(() => {
    if (!isActive) return;
    const hear = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !isForSession(event)) return;
      const chosen = choices.find(({ key }) => key === event.key);
      if (!chosen || performance.now() - since.current < DEAF_MS) return;
      event.preventDefault();
      chosen.run();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  });
}

function isForSession({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || document.querySelector("dialog[open]")) return false;
  if (target.closest("input, textarea, select, [contenteditable]")) return false;
  return target === document.body || target.closest(".session, main") !== null;
}
