import type { Key } from "./line-editor.ts";

/** Keys that come this soon after a question were meant for something else. */
export const TOO_SOON_MS = 400;

/** A letter answers only if nothing follows it for so long, or Enter does: it may be the first of a sentence. */
const ALONE_MS = 600;

/** What a key writes; empty for one that writes nothing. */
export const writtenBy = ({ sequence = "", ctrl }: Key): string =>
  !ctrl && /^\P{Cc}+$/u.test(sequence) ? sequence : "";

export const isEnter = ({ name }: Key): boolean => name === "return" || name === "enter";

/** Calls back when a key has been alone for long enough, unless it is told to forget it before. */
export function whenAlone(then: () => void): () => void {
  let isForgotten = false;
  const take = () => {
    if (!isForgotten) then();
  };
  // Keys that wait to be read are read first: they were pressed in time, and it was us who were late.
  const timer = setTimeout(() => setImmediate(take), ALONE_MS);
  return () => {
    isForgotten = true;
    clearTimeout(timer);
  };
}
