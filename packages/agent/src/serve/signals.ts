import { deferred } from "../deferred.ts";
import type { Session } from "../session/session.ts";

/** Where signals come from: the process, or the connection of one of its many sessions. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** The signals that a process or connection has received. */
export interface Signals {
  /** Settles with the exit code when the process has to end at once. */
  readonly code: Promise<number>;
  /** Whether the process ends because it was interrupted; its last turn then does not count as failed. */
  readonly interrupted: boolean;
  /** The exit code of a signal that lets the turn reach its result first. */
  readonly ending: number | undefined;
  stop(): void;
}

/** How long a cancelled turn may take to reach its result. */
const GRACE_MS = 5000;

/**
 * SIGINT ends the running turn with a result; SIGTERM and SIGHUP end everything at once. If the host relies on a result, these
 * two end the turn with one first, and end everything on a second signal or after the grace period.
 */
export function onSignals(
  source: SignalSource,
  session: Pick<Session, "end">,
  endsInResult: () => boolean = () => false,
): Signals {
  const { promise, resolve } = deferred<number>();
  let interrupted = false;
  let ending: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    interrupted = true;
    session.end();
  };
  const end = (code: number) => () => {
    if (!endsInResult() || ending !== undefined) return resolve(code);
    ending = code;
    timer = setTimeout(() => resolve(code), GRACE_MS);
    session.end();
  };
  const terminate = end(143);
  const hangUp = end(129);
  source.on("SIGINT", interrupt);
  source.on("SIGTERM", terminate);
  source.on("SIGHUP", hangUp);
  return {
    code: promise,
    get interrupted() {
      return interrupted;
    },
    get ending() {
      return ending;
    },
    stop() {
      clearTimeout(timer);
      source.off("SIGINT", interrupt);
      source.off("SIGTERM", terminate);
      source.off("SIGHUP", hangUp);
    },
  };
}
