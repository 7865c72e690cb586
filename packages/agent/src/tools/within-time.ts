import { createContext, Script } from "node:vm";
import { hasCode } from "./file-errors.ts";

/** A run that ended in time, with its value, or one that was cut off. */
export type TimedRun<T> = { readonly ended: true; readonly value: T } | { readonly ended: false };

/** Runs some work, but not for longer than is allowed. */
export type TimeLimit = <T>(work: () => T) => TimedRun<T>;

const call = new Script("run()");

/**
 * Makes a runner for work that may never end by itself, such as a regular expression of the model's: it is cut off after `milliseconds`.
 * The work runs in the calling thread, so nothing else happens meanwhile; the vm module is used for its watchdog, not as a sandbox.
 */
export function timeLimit(milliseconds: number): TimeLimit {
  const globals: { run?: () => void } = {};
  const context = createContext(globals);
  return <T>(work: () => T): TimedRun<T> => {
    const results: T[] = [];
    globals.run = () => {
      results.push(work());
    };
    try {
      call.runInContext(context, { timeout: milliseconds });
    } catch (error) {
      if (!hasCode(error, "ERR_SCRIPT_EXECUTION_TIMEOUT")) throw error;
    }
    const [value] = results;
    return results.length === 0 ? { ended: false } : { ended: true, value: value as T };
  };
}
