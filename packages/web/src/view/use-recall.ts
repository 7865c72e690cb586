import { useRef } from "preact/hooks";

/** Recalls earlier prompts: Up in an empty field starts, Up and Down step through them, and typing ends it. */
export function useRecall(
  said: readonly string[],
  text: string,
  onText: (text: string) => void,
): (event: KeyboardEvent) => boolean {
  /** How many prompts back; 0 while not recalling. */
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
