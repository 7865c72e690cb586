import type { Key } from "./line-editor.ts";

/** Keys pressed this soon after a question were meant for something else. */
export const TOO_SOON_MS = 400;

/** A letter answers only if nothing follows within this time, or Enter does: it may be the start of a sentence. */
const ALONE_MS = 600;

/** The text that a key produces; empty for others. */
export const writtenBy = ({ sequence = "", ctrl }: Key): string =>
  !ctrl && /^\P{Cc}+$/u.test(sequence) ? sequence : "";

export const isEnter = ({ name }: Key): boolean => name === "return" || name === "enter";

/** Calls back when no other key has followed for long enough; the returned function cancels. */
export function whenAlone(then: () => void): () => void {
  let isForgotten = false;
  const take = () => {
    if (!isForgotten) then();
  };
  // Let pending input be read first: those keys were pressed in time, and this process was late.
  const timer = setTimeout(() => setImmediate(take), ALONE_MS);
  return () => {
    isForgotten = true;
    clearTimeout(timer);
  };
}
