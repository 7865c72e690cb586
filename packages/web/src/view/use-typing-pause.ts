import { useEffect } from "preact/hooks";

const PAUSE_MS = 150;

/** Calls `look` once the user stops typing; the signal fires when typing continues, and later errors are dropped. */
export function useTypingPause(
  typed: string,
  look: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void = () => {},
  pauseMs = PAUSE_MS,
): void {
  useEffect(() => {
    const superseded = new AbortController();
    const { signal } = superseded;
    const timer = setTimeout(() => {
      look(signal).catch((error: unknown) => signal.aborted || onFailure(error));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [typed]);
}
