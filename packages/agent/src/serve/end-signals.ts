import { deferred } from "../deferred.ts";

/** The signals that end a process. */
export interface EndSignals {
  /** The exit code of the first signal, if one came. */
  readonly received: number | undefined;
  /** Settles with the exit code when the process must exit without waiting any longer. */
  readonly lost: Promise<number>;
  stop(): void;
}

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** How long a cancelled turn may take to reach its result. */
const GRACE_MS = 5000;

/**
 * The first signal cancels the running turn, which still ends with its result; a second one, or the end of the grace period, ends
 * the process.
 */
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
