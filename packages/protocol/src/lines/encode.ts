import { ProtocolError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { encodeTextDelta } from "./text-delta.ts";

const ESCAPES = [
  ["\u2028", "\\u2028"],
  ["\u2029", "\\u2029"],
  ["\u007f", "\\u007f"],
] as const;

/** Writes a value as one line that no line splitter of any kind can cut. */
export function encodeLine(value: unknown): string {
  let text = (isJsonObject(value) ? encodeTextDelta(value) : undefined) ?? stringify(value);
  for (const [character, spelling] of ESCAPES) {
    // indexOf first: it is far cheaper than a replace that finds nothing.
    if (text.indexOf(character) >= 0) text = text.replaceAll(character, spelling);
  }
  return `${text}\n`;
}

function stringify(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new ProtocolError("unencodable", "the message can't be written as JSON", { cause });
  }
  throw new ProtocolError("unencodable", `a ${typeof value} can't be written as JSON`);
}
