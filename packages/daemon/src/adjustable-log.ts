import { jsonLog, type Log, type LogLevel } from "@agentwire/protocol/support";

/** A log of JSON lines whose level can be changed while it is in use. */
export interface AdjustableLog {
  readonly log: Log;
  setLevel(level: LogLevel): void;
}

/** Makes one that begins at a level. */
export function adjustableLog(write: (line: string) => void, level: LogLevel): AdjustableLog {
  let inner = jsonLog(write, level);
  return {
    log: {
      debug: (text, fields) => inner.debug(text, fields),
      info: (text, fields) => inner.info(text, fields),
      warn: (text, fields) => inner.warn(text, fields),
      error: (text, fields) => inner.error(text, fields),
    },
    setLevel(wanted) {
      inner = jsonLog(write, wanted);
    },
  };
}
