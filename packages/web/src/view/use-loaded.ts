import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { isSignedOut, textOfError } from "../client.ts";

/** Something that a page shows, on its way or there. */
export interface Loaded<T> {
  /** Undefined until it is there. */
  readonly value: T | undefined;
  /** Why it is not; empty while nothing is wrong. */
  readonly problem: string;
  /** Asks again. */
  readonly reload: () => void;
}

/** Loads what a page shows when it is opened and whenever `key` changes; an answer that comes too late is dropped. */
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
