import { HostError } from "../errors.ts";

/** What the value of an option has to be: a test, and the words for it. */
export interface Kind {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

type Kinds<Name extends string = string> = Readonly<Record<Name, Kind>>;

/** Any string. */
export const TEXT: Kind = { name: "a text", holds: (value) => typeof value === "string" };
/** A switch. */
export const FLAG: Kind = { name: "true or false", holds: (value) => typeof value === "boolean" };
/** Any number but the one that is none. */
export const NUMBER: Kind = {
  name: "a number",
  holds: (value) => typeof value === "number" && !Number.isNaN(value),
};
/** What can be called. */
export const CALLBACK: Kind = { name: "a function", holds: (value) => typeof value === "function" };
/** A list of anything. */
export const LIST: Kind = { name: "a list", holds: Array.isArray };
/** An object of whatever class, but no list. */
export const OBJECT: Kind = {
  name: "an object",
  holds: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** A list, all of one kind. */
export function listOf({ name, holds }: Kind): Kind {
  return {
    name: `a list of which each item is ${name}`,
    holds: (value) => Array.isArray(value) && value.every((item) => holds(item)),
  };
}

/** An object by any names, all of one kind; null and undefined say nothing. */
export function recordOf({ name, holds }: Kind): Kind {
  return {
    name: `an object of which each value is ${name}`,
    holds: (value) =>
      OBJECT.holds(value) && Object.values(value as object).every((item) => item == null || holds(item)),
  };
}

/** An object that has at least these fields. */
export function withFields(fields: Kinds): Kind {
  const entries = Object.entries(fields);
  return {
    name: `an object with ${entries.map(([field, { name }]) => `${field}: ${name}`).join(", ")}`,
    holds: (value) =>
      OBJECT.holds(value) &&
      entries.every(([field, { holds }]) => holds((value as Record<string, unknown>)[field])),
  };
}

/** One of several texts. */
export function oneOf(...words: readonly string[]): Kind {
  return {
    name: words.map((word) => `'${word}'`).join(" or "),
    holds: (value) => words.some((word) => word === value),
  };
}

/** Any of several kinds. */
export function either(...kinds: readonly Kind[]): Kind {
  return {
    name: kinds.map(({ name }) => name).join(", or "),
    holds: (value) => kinds.some(({ holds }) => holds(value)),
  };
}

/**
 * The options that were given; throws for a name that nobody knows and for a value of another kind. `whose` says in the text where
 * the names belong.
 */
export function givenOptions<Options extends object>(
  options: Options,
  kinds: Kinds<keyof Options & string>,
  whose: string,
): Options {
  if (!OBJECT.holds(options))
    throw new HostError("invalid_option", `the options of ${whose} are not an object`);
  const given = Object.entries(options).filter(([name, value]) => {
    if (value === undefined) return false;
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof Options & string] : undefined;
    if (!kind) throw new HostError("unsupported_option", `unknown option ${name} of ${whose}`);
    if (isNone(kind, value)) return false;
    if (!kind.holds(value)) throw new HostError("invalid_option", `${name} is not ${kind.name}`);
    return true;
  });
  return Object.fromEntries(given) as Options;
}

/** What JavaScript programs write for "none": null, and the false of a `condition && value`. */
function isNone(kind: Kind, value: unknown): boolean {
  return value === null || (value === false && (kind === TEXT || kind === CALLBACK));
}
