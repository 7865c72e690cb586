import type { Log, LogFields } from "@agentwire/protocol/support";

/** Where an unexpected failure of ours occurred. */
export type FailureScope = "request" | "connection" | "session" | "daemon" | "unknown";

/** Reports an unexpected failure of ours: logs it and counts it. */
export type Report = (place: FailureScope, error: unknown, fields?: LogFields) => void;

/** Counts failures by their scope. */
export interface FailureCounter {
  add(count: number, scope: FailureScope): void;
}

/** Reports to a log and to a counter. */
export const reporter =
  (log: Log, failures: FailureCounter): Report =>
  (place, error, fields) => {
    failures.add(1, place);
    const stack = error instanceof Error ? error.stack : undefined;
    log.error(`unexpected failure in ${PLACES[place]}: please report this`, { ...fields, error, stack });
  };

const PLACES: Readonly<Record<FailureScope, string>> = {
  request: "a request",
  connection: "a connection",
  session: "a session",
  daemon: "the daemon",
  unknown: "the daemon itself",
};

/** Wraps a function whose result is not awaited, and handles whatever it throws or rejects with. */
export type Boundary = <A extends readonly unknown[]>(work: (...args: A) => unknown) => (...args: A) => void;

/** Creates a boundary for timers, events and promises; `failed` handles the error. */
export const boundary =
  (failed: (error: unknown) => void): Boundary =>
  (work) =>
  (...args) => {
    try {
      const result = work(...args);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
