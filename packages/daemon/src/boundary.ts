import type { Log, LogFields } from "@agentwire/protocol/support";

/** What a failure of our own belongs to. */
export type FailureScope = "request" | "connection" | "session" | "daemon" | "unknown";

/** Tells of a failure of our own: a line in the log, and a count. */
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

/** Wraps a function whose result is not awaited: what it throws, or rejects with, is handled here. */
export type Boundary = <A extends readonly unknown[]>(work: (...args: A) => unknown) => (...args: A) => void;

/** A boundary around the timers, events and promises of one thing; `failed` ends that thing, or reports. */
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
