import { isJsonObject } from "../../src/json.ts";

/**
 * Says how a value differs from what was expected, by path: `+` for a key that came in addition, `-` for one that is gone, `~` for a
 * value that is another.
 */
export function differences(expected: unknown, found: unknown, path = ""): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((item, index) => differences(item, found[index], join(path, String(index))));
  if (!isJsonObject(expected) || !isJsonObject(found)) return Object.is(expected, found) ? [] : [`~${path}`];
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...keys].flatMap((key) => {
    const inner = join(path, key);
    if (!Object.hasOwn(expected, key)) return [`+${inner}`];
    if (!Object.hasOwn(found, key)) return [`-${inner}`];
    return differences(expected[key], found[key], inner);
  });
}

const join = (path: string, key: string) => (path === "" ? key : `${path}.${key}`);
