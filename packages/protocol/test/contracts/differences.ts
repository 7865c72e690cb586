import { isJsonObject } from "../../src/json.ts";

/**
 * Lists how a value differs from the expected one, by path: `+` for an added key, `-` for a removed one, `~`
 * for a changed value.
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
