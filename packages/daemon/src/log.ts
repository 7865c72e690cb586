import { jsonLog, type Log, type LogFields, type LogLevel, type Redact } from "@agentwire/protocol/support";

/** A log of JSON lines whose level can be changed while it is in use. */
export interface AdjustableLog {
  readonly log: Log;
  setLevel(level: LogLevel): void;
}

/** Creates an adjustable log with an initial level. */
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

/** How deep fields are searched for secrets; anything deeper is omitted. */
const MAX_DEPTH = 6;

/** A log that removes secrets from everything it writes. */
export function redactingLog(log: Log, redact: Redact): Log {
  const level = (name: keyof Log) => (text: string, fields?: LogFields) =>
    log[name](redact(text), fields && (clean(fields, redact, 0) as LogFields));
  return { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
}

function clean(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[deep]";
  if (value instanceof Error) return cleanError(value, redact, depth);
  if (Array.isArray(value)) return value.map((item) => clean(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clean(item, redact, depth + 1)]),
  );
}

function cleanError(error: Error & { readonly code?: unknown }, redact: Redact, depth: number): object {
  const { name, message, code, cause } = error;
  return {
    name,
    message: redact(message),
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(cause !== undefined && { cause: clean(cause, redact, depth + 1) }),
  };
}
