import { deferred } from "../deferred.ts";
import type { Session } from "../session/session.ts";

/** What the system has told the process. */
export interface Signals {
  /** Settles when the process has to end at once. */
  readonly code: Promise<number>;
  /** Whether the process ends because it was interrupted: then the turn that failed is no failure. */
  readonly interrupted: boolean;
  stop(): void;
}

/** SIGINT ends the running turn properly, SIGTERM and a terminal that goes away everything at once. */
export function onSignals(session: Pick<Session, "end">): Signals {
  const { promise, resolve } = deferred<number>();
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    session.end();
  };
  const terminate = () => resolve(143);
  const hangUp = () => resolve(129);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", hangUp);
  return {
    code: promise,
    get interrupted() {
      return interrupted;
    },
    stop() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", hangUp);
    },
  };
}
