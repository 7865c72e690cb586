import { deferred } from "../deferred.ts";

/** How a process is told to end. */
export interface EndSignals {
  /** The exit code of the first signal, if one came. */
  readonly received: number | undefined;
  /** Settles with the exit code when the process can't wait for its own end any longer. */
  readonly lost: Promise<number>;
  stop(): void;
}

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** How long a turn that was cancelled may take to come to its result. */
const GRACE_MS = 5000;

/** All of them cancel what runs, so that it still ends in its result; a second one, or too long a wait, ends the process. */
export function onEndSignals(cancel: () => void): EndSignals {
  const { promise, resolve } = deferred<number>();
  let received: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const take = (signal: keyof typeof CODES) => {
    const code = CODES[signal];
    if (received !== undefined) return resolve(code);
    received = code;
    timer = setTimeout(() => resolve(code), GRACE_MS);
    cancel();
  };
  const signals = Object.keys(CODES) as (keyof typeof CODES)[];
  for (const signal of signals) process.on(signal, take);
  return {
    get received() {
      return received;
    },
    lost: promise,
    stop() {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, take);
    },
  };
}
