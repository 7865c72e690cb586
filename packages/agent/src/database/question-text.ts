import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { asString } from "@agentwire/protocol/support";

/** Longer inputs are truncated: nobody reads them at a prompt. */
const MAX_CHARS = 4000;

/** Characters that could mislead a terminal or its reader: control characters, and those that change the direction of text. */
const MISLEADING = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Makes a text from the model safe to print: escapes everything that would act on the terminal. */
export const safeText = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(MISLEADING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A readable form of what a tool is about to do: the command, the change, or the fields of the input. */
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

/** A tool call in one line: its most telling field, or its whole input. */
export function callLine(tool: string, input: unknown): string {
  const about = isJsonObject(input)
    ? ABOUT.map((name) => input[name]).find((value) => typeof value === "string")
    : "";
  const line = String(about ?? JSON.stringify(input)).replaceAll(/\s+/g, " ");
  return `${tool} ${line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line}`;
}

const ABOUT = ["command", "file_path", "notebook_path", "pattern", "url", "query", "description", "path"];
const MAX_LINE_CHARS = 200;

/** A question of the agent to its user; options are chosen by number. */
export interface UserQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** The questions in the input of AskUserQuestion. */
export function questionsIn({ questions }: JsonObject): readonly UserQuestion[] {
  return (Array.isArray(questions) ? questions : []).filter(isJsonObject).map(({ question, options }) => ({
    question: asString(question) ?? "",
    options: (Array.isArray(options) ? options : []).filter(isJsonObject).map(({ label, description }) => ({
      label: asString(label) ?? "",
      description: asString(description) ?? "",
    })),
  }));
}

/** A question with its options. */
export const withOptions = ({ question, options }: UserQuestion): string =>
  [
    question,
    ...options.map(
      ({ label, description }, index) =>
        `  ${index + 1}. ${label}${description === "" || description === label ? "" : ` – ${description}`}`,
    ),
  ].join("\n");

/** What the user may type. */
export const answerPrompt = ({ options }: UserQuestion): string =>
  options.length === 0 ? "Your answer" : "Number or your own answer";

/** The answer in a typed line: a number selects its option, anything else is the answer itself. */
export const answerIn = ({ options }: UserQuestion, line: string): string =>
  (/^\d+$/.test(line) && options[Number(line) - 1]?.label) || line;

const marked = (mark: string, text: string) =>
  text
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");

const cut = (text: string) =>
  text.length > MAX_CHARS
    ? `${text.slice(0, MAX_CHARS)}\n… and ${text.length - MAX_CHARS} more characters`
    : text;
