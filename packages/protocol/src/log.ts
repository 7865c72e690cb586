const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** The importance of a log entry, from least to most. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Named facts that accompany a log text. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Receives a program's own messages; always passed in, never global. */
export type Log = {
  readonly [level in LogLevel]: (text: string, fields?: LogFields) => void;
};

const ignore = (): void => {};

/** A log that discards everything. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A log that writes every entry of at least `level` as one JSON line, its newline included. */
export function jsonLog(write: (line: string) => void, level: LogLevel): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const writer = (own: LogLevel) =>
    LOG_LEVELS.indexOf(own) < threshold
      ? ignore
      : (text: string, fields?: LogFields): void => write(`${renderEntry(own, text, fields)}\n`);
  return { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") };
}

function renderEntry(level: LogLevel, text: string, fields: LogFields | undefined): string {
  const head = JSON.stringify({ time: new Date().toISOString(), level, text });
  return fields === undefined ? head : `${head.slice(0, -1)},"fields":${renderFields(fields)}}`;
}

// Field by field, so that a value without a JSON form does not lose the others.
function renderFields(fields: LogFields): string {
  const members = Object.keys(fields).flatMap((key) => {
    const value = renderField(fields, key);
    return value === undefined ? [] : [`${JSON.stringify(key)}:${value}`];
  });
  return `{${members.join(",")}}`;
}

function renderField(fields: LogFields, key: string): string | undefined {
  try {
    return JSON.stringify(fields[key], plainValues());
  } catch {
    return '"[unserializable]"';
  }
}

/** A `JSON.stringify` replacer that gives errors, big integers and cycles a JSON form. */
function plainValues(): (this: unknown, key: string, value: unknown) => unknown {
  const ancestors: unknown[] = [];
  return function (_key, value) {
    if (typeof value === "bigint") return value.toString();
    if (value instanceof Error) return plainError(value);
    if (typeof value !== "object" || value === null) return value;
    // `this` is the object being written: anything above it on the stack is finished.
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return "[circular]";
    ancestors.push(value);
    return value;
  };
}

function plainError(error: Error): Readonly<Record<string, string | number>> {
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    name: String(error.name),
    message: String(error.message),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
  };
}
