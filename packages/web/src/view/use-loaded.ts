import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { isSignedOut, textOfError } from "../client.ts";

/** Data that a page loads. */
export interface Loaded<T> {
  /** Undefined until it is loaded. */
  readonly value: T | undefined;
  /** Why loading failed; empty if it has not. */
  readonly problem: string;
  /** Loads it again. */
  readonly reload: () => void;
}

/** Loads data when a page opens and whenever `key` changes; late answers for an earlier key are dropped. */
export function useLoaded<T>(app: App, key: string, load: () => Promise<T>): Loaded<T> {
  const [{ value, problem, of }, set] = useState<{ value?: T; problem: string; of: string }>({
    problem: "",
    of: key,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (found) => isWanted && set({ value: found, problem: "", of: key }),
      (error: unknown) => {
        if (isSignedOut(error)) void app.refresh();
        if (isWanted) set({ problem: textOfError(error), of: key });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, turn]);
  return { value: of === key ? value : undefined, problem, reload: () => setTurn((last) => last + 1) };
}
