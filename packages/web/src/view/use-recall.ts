import { useRef } from "preact/hooks";

/** Brings back what was said before: arrow up in an empty field, then up and down through it; typing ends it. */
export function useRecall(
  said: readonly string[],
  text: string,
  onText: (text: string) => void,
): (event: KeyboardEvent) => boolean {
  /** How far back; 0 for none. */
  const back = useRef(0);
  const at = (steps: number) => said[said.length - steps];
  return ({ key, shiftKey, ctrlKey, metaKey, altKey }) => {
    if (back.current > 0 && text !== at(back.current)) back.current = 0;
    const isPlain = !shiftKey && !ctrlKey && !metaKey && !altKey;
    if (!isPlain || (text !== "" && back.current === 0)) return false;
    const next = key === "ArrowUp" ? back.current + 1 : key === "ArrowDown" ? back.current - 1 : -1;
    if (next < 0 || next > said.length) return false;
    back.current = next;
    onText(next === 0 ? "" : (at(next) ?? ""));
    return true;
  };
}
