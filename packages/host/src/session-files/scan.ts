import { type JsonObject, Malformed, parseLine } from "@agentwire/protocol";

/** The lines of a text, first to last. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield end < 0 ? text.slice(start) : text.slice(start, end);
    start = end < 0 ? text.length : end + 1;
  }
}

/** The lines of a text, last to first. */
function* linesFromEnd(text: string): Generator<string> {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1);
    yield text.slice(start + 1, end);
    end = start;
  }
}

/** The JSON object in a line; undefined if the line is incomplete or something else. */
export function objectIn(line: string): JsonObject | undefined {
  const read = parseLine(line);
  return read instanceof Malformed ? undefined : read;
}

/** The string value of a field in the last line that has one; `type` limits it to lines of one type. */
export function lastField(text: string, field: string, type?: string): string | undefined {
  const mark = `"${field}":`;
  for (const line of linesFromEnd(text)) {
    if (!line.includes(mark) || (type !== undefined && !hasType(line, type))) continue;
    const entry = objectIn(line) ?? appended(line, type);
    const value = type === undefined || entry?.type === type ? entry?.[field] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The string value of a top-level field in the first line that has one. */
export function firstField(text: string, field: string): string | undefined {
  const mark = `"${field}":`;
  for (const line of linesOf(text)) {
    const value = line.includes(mark) ? objectIn(line)?.[field] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The first string value of a key anywhere, even in a line that was cut off. */
export function firstText(text: string, key: string): string | undefined {
  for (const mark of marksOf(key)) {
    const at = text.indexOf(mark);
    const value = at < 0 ? undefined : textFrom(text, at + mark.length)?.value;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The last string value of a key anywhere, even in a line that was cut off. */
export function lastText(text: string, key: string): string | undefined {
  let found: { readonly at: number; readonly value: string } | undefined;
  for (const mark of marksOf(key)) {
    for (let at = text.indexOf(mark); at >= 0; ) {
      const read = textFrom(text, at + mark.length);
      if (read && at > (found?.at ?? -1)) found = { at, value: read.value };
      at = text.indexOf(mark, read ? read.end : text.length);
    }
  }
  return found?.value;
}

/** Whether a line has a field with this literal value, with or without a space. */
export const hasLiteral = (line: string, key: string, literal: string): boolean =>
  line.includes(`"${key}":${literal}`) || line.includes(`"${key}": ${literal}`);

const hasType = (line: string, type: string) => hasLiteral(line, "type", `"${type}"`);

const marksOf = (key: string) => [`"${key}":"`, `"${key}": "`];

/** The line that was appended to an incomplete one, which a dying agent left. */
function appended(line: string, type: string | undefined): JsonObject | undefined {
  const at = type === undefined ? -1 : line.lastIndexOf(`{"type":"${type}"`);
  return at > 0 && !":,[".includes(line.charAt(at - 1)) ? objectIn(line.slice(at)) : undefined;
}

function textFrom(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  for (let end = start; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return { value: unescaped(text.slice(start, end)), end: end + 1 };
  }
  return undefined;
}

function unescaped(text: string): string {
  try {
    return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
  } catch {
    return text;
  }
}
