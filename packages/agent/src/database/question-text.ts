import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** Longer inputs are cut: nobody reads them at a prompt. */
const MOST_CHARS = 4000;

/** What a terminal or a reader's eye could be misled by: control characters, and those that turn the direction of text. */
const MISLEADING = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from the model as it may be shown: what would act on the terminal is spelled out. */
export const harmless = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(MISLEADING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** What a tool is about to do, as a person reads it: the command, the change, or the input name by name. */
export function questionText(tool: string, input: JsonObject): string {
  const { command, file_path, old_string, new_string, content } = input;
  if (tool === "Bash" && typeof command === "string") return cut(`$ ${command}`);
  if (typeof file_path === "string") {
    if (typeof old_string === "string" && typeof new_string === "string")
      return cut(`${tool} ${file_path}\n${marked("-", old_string)}\n${marked("+", new_string)}`);
    if (typeof content === "string") return cut(`${tool} ${file_path}\n${marked("+", content)}`);
  }
  const fields = Object.entries(input).map(
    ([name, value]) => `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return cut([tool, ...fields].join("\n"));
}

/** A tool call in one line: what it is about, else its whole input. */
export function callLine(tool: string, input: unknown): string {
  const about = isJsonObject(input)
    ? ABOUT.map((name) => input[name]).find((value) => typeof value === "string")
    : "";
  const line = String(about ?? JSON.stringify(input)).replaceAll(/\s+/g, " ");
  return `${tool} ${line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line}`;
}

const ABOUT = ["command", "file_path", "notebook_path", "pattern", "url", "query", "description", "path"];
const MOST_LINE = 200;

/** A question of the agent to its user, with the numbers that choose. */
export interface Asked {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** What an agent asks its user with AskUserQuestion. */
export function askedIn({ questions }: JsonObject): readonly Asked[] {
  return (Array.isArray(questions) ? questions : []).filter(isJsonObject).map(({ question, options }) => ({
    question: textOf(question),
    options: (Array.isArray(options) ? options : [])
      .filter(isJsonObject)
      .map(({ label, description }) => ({ label: textOf(label), description: textOf(description) })),
  }));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The question with its options. */
export const askedText = ({ question, options }: Asked): string =>
  [
    question,
    ...options.map(
      ({ label, description }, index) =>
        `  ${index + 1}. ${label}${description === "" || description === label ? "" : ` – ${description}`}`,
    ),
  ].join("\n");

/** What may be typed. */
export const howToAnswer = ({ options }: Asked): string =>
  options.length === 0 ? "Your answer" : "Number or your own words";

/** What a line means: a number is its option, anything else stands for itself. */
export const answerIn = ({ options }: Asked, line: string): string =>
  (/^\d+$/.test(line) && options[Number(line) - 1]?.label) || line;

const marked = (mark: string, text: string) =>
  text
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");

const cut = (text: string) =>
  text.length > MOST_CHARS
    ? `${text.slice(0, MOST_CHARS)}\n… and ${text.length - MOST_CHARS} more characters`
    : text;
