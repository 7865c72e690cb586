import { useEffect } from "preact/hooks";

const PAUSE_MS = 150;

/** Looks for what somebody types once they pause; the signal fires when they continue typing, and errors after that are dropped. */
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
