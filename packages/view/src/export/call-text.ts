import type { CallItem } from "../timeline/index.ts";

/** How much of a tool's input or result an export has. */
const MOST_CHARS = 20_000;

/** What a tool was given, one value a line where it is more than one. */
export function inputText({ inputJson }: CallItem): string {
  try {
    const input: unknown = JSON.parse(inputJson);
    if (typeof input !== "object" || input === null) return cut(inputJson);
    const values = Object.entries(input).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return cut(values.join("\n"));
  } catch {
    return cut(inputJson);
  }
}

/** What a tool gave; empty while it has not. */
export const resultText = ({ result }: CallItem): string => cut(withoutColors(result?.text ?? ""));

/** What a terminal makes colors of is nothing to read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const withoutColors = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, "");

const cut = (text: string) =>
  text.length <= MOST_CHARS
    ? text
    : `${text.slice(0, MOST_CHARS)}\n… ${text.length - MOST_CHARS} more characters`;
