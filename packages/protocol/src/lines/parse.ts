import { isJsonObject, type JsonObject, MAX_DEPTH, nestsDeeperThan } from "../json.ts";
import { BadLine, type Line } from "./lines.ts";
import { Malformed } from "./malformed.ts";
import type { RepeatedFrame } from "./repeated-frame.ts";

/** Reads a line as a JSON object; any other content is a fault, never a throw. `repeated` knows the lines before it. */
export function parseLine(line: Line, repeated?: RepeatedFrame): JsonObject | Malformed {
  if (line instanceof BadLine) return new Malformed(line.reason, badLineReason(line), line.head);
  const known = repeated?.read(line);
  if (known) return known;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return new Malformed("not_json", `the line is not JSON (${(error as Error).message})`, line);
  }
  if (!isJsonObject(value))
    return new Malformed("not_an_object", `the line is ${kindOf(value)}, not an object`, line);
  // Each level takes at least two characters, so only long lines need the check.
  if (line.length > 2 * MAX_DEPTH && nestsDeeperThan(value, MAX_DEPTH)) {
    return new Malformed("too_deep", `the line nests deeper than ${MAX_DEPTH} levels`, line);
  }
  repeated?.learn(line, value);
  return value;
}

/** The values of a line that is a list; none if it is not one. */
export function parseList(line: Line): readonly unknown[] {
  if (line instanceof BadLine || !line.trimStart().startsWith("[")) return [];
  try {
    const values: unknown = JSON.parse(line);
    return Array.isArray(values) && !nestsDeeperThan(values, MAX_DEPTH) ? values : [];
  } catch {
    return [];
  }
}

function badLineReason(line: BadLine): string {
  return line.reason === "too_long"
    ? `the line is too long (${line.bytes} bytes)`
    : "the line is not valid UTF-8";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
