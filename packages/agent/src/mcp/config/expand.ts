import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The variables that a configuration may name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration with its variables filled in, and the names of those that are nowhere set. */
export interface Expansion {
  readonly config: JsonObject;
  readonly missing: readonly string[];
}

const EXPANDED_KEYS: readonly string[] = ["command", "args", "env", "url", "headers"];
// The default's length is bounded so that a file full of unclosed braces can't take quadratic time.
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]{0,2000}))?\}/g;

/** Fills in `${NAME}` and `${NAME:-default}`; a variable that is not set and has no default stays as it is written. */
export function expand(config: JsonObject, env: Environment): Expansion {
  const missing = new Set<string>();
  const replace = (written: string, name: string, fallback?: string): string => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined && fallback === undefined) missing.add(name);
    return value ?? fallback ?? written;
  };
  const fill = (value: unknown): unknown =>
    typeof value === "string" ? value.replace(VARIABLE, replace) : value;
  const fillAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    return isJsonObject(value) ? mapValues(value, fill) : fill(value);
  };
  const filled = mapValues(config, (value, key) => (EXPANDED_KEYS.includes(key) ? fillAll(value) : value));
  return { config: filled, missing: [...missing] };
}

function mapValues(object: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
