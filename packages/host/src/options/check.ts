import { isJsonObject } from "@agentwire/protocol";
import { boolean, exact, faultIn, object, type Schema, scalar, string } from "@agentwire/protocol/schema";
import { DEFAULT_DEADLINES, type Deadlines } from "../deadlines.ts";
import { HostError } from "../errors.ts";

/** Any number, including `Infinity`. */
export const number = scalar<number>("number", (value) => typeof value === "number" && !Number.isNaN(value));
/** Anything that can be called. */
export const callback = scalar<unknown>("function", (value) => typeof value === "function");
/** The length of a line. */
export const length = scalar<number>("a number of bytes", (value) => typeof value === "number" && value > 0);
/** An `AbortSignal`, possibly of another implementation than this runtime's. */
export const abortSignal = called("AbortSignal", object({ aborted: boolean, addEventListener: callback }));

/** The same schema, described by one name instead of its parts. */
export function called<T>(type: string, schema: Schema<T>): Schema<T> {
  return exact({ ...schema, doc: () => ({ type }) });
}

/** The same schema, but null and undefined count as absent. */
export function orNone<T>({ doc, accepts, read }: Schema<T>): Schema<T | null | undefined> {
  return {
    doc,
    accepts: (value): value is T | null | undefined => value == null || accepts(value),
    read: (value, reading) => (value == null ? (value as null | undefined) : read(value, reading)),
  };
}

/** The schema of each option. */
export type OptionSchemas<Options> = Readonly<Record<keyof Options & string, Schema<unknown>>>;

/** Returns the given options; throws for an unknown name, with the text of `unknown`, and for a value that does not fit. */
export function givenOptions<Options extends object>(
  options: Options,
  schemas: OptionSchemas<Options>,
  unknown: (name: string) => string,
): Options {
  if (!isJsonObject(options)) throw new HostError("invalid_option", "the options are not an object");
  const given = Object.entries(options).filter(([name, value]) => {
    if (value === undefined) return false;
    const schema = Object.hasOwn(schemas, name) ? schemas[name as keyof Options & string] : undefined;
    if (!schema) throw new HostError("unsupported_option", unknown(name));
    if (isNone(schema, value)) return false;
    const fault = faultIn(schema, value, name);
    if (fault !== undefined) throw new HostError("invalid_option", fault);
    return true;
  });
  return Object.fromEntries(given) as Options;
}

const milliseconds = scalar<number>(
  "a number of milliseconds",
  (value) => typeof value === "number" && value >= 0,
);
const DEADLINES = Object.fromEntries(
  Object.keys(DEFAULT_DEADLINES).map((name) => [name, milliseconds]),
) as OptionSchemas<Deadlines>;

/** Returns the deadlines that were given; throws for an unknown name and for a value that is not a time. */
export function givenDeadlines(given: Partial<Deadlines>): Partial<Deadlines> {
  return givenOptions(
    given,
    DEADLINES as OptionSchemas<Partial<Deadlines>>,
    (name) => `${name} is not a known deadline`,
  );
}

/** The values that JavaScript programs write for "none": null, and the false of a `condition && value`. */
function isNone(schema: Schema<unknown>, value: unknown): boolean {
  return value === null || (value === false && (schema === string || schema === callback));
}
