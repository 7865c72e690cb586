import { withoutErrorTags } from "../text/index.ts";
import type { CallItem } from "../timeline/index.ts";

/** How much of a tool's input or result an export includes. */
const MAX_CHARS = 20_000;

/** The input of a tool call, one line per value if there are several. */
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

/** The result of a tool call; empty while it is pending. */
export const resultText = ({ result }: CallItem): string =>
  cut(withoutColors(withoutErrorTags(result?.text ?? "")));

/** Removes terminal color codes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what the pattern matches
const withoutColors = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, "");

const cut = (text: string) =>
  text.length <= MAX_CHARS
    ? text
    : `${text.slice(0, MAX_CHARS)}\n… ${text.length - MAX_CHARS} more characters`;
