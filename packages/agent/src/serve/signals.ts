import { deferred } from "../deferred.ts";
import type { Session } from "../session/session.ts";

/** Where signals come from: the process, or the connection of one of its many sessions. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** What the system has told the process. */
export interface Signals {
  /** Settles when the process has to end at once. */
  readonly code: Promise<number>;
  /** Whether the process ends because it was interrupted; its last turn then does not count as failed. */
  readonly interrupted: boolean;
  /** The exit code of a signal that lets the turn come to its result first. */
  readonly ending: number | undefined;
  stop(): void;
}

/** How long a turn that was cancelled may take to come to its result. */
const GRACE_MS = 5000;

/**
 * SIGINT ends the running turn properly, SIGTERM and a terminal that goes away everything at once; where the host counts on a
 * result, they end the turn properly too, and a second one or too long a wait everything.
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
