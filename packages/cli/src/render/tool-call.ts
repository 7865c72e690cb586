import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJsonObject } from "@agentwire/protocol/support";
import { oneLine, plain } from "./plain.ts";

/** The most informative key of each tool's input. */
const TELLING: ReadonlyMap<string, string> = new Map([
  ["Bash", "command"],
  ["Read", "file_path"],
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
  ["Glob", "pattern"],
  ["Grep", "pattern"],
  ["WebFetch", "url"],
  ["WebSearch", "query"],
  ["Task", "description"],
  ["Agent", "description"],
  ["Skill", "skill"],
]);

const LINE_CHARS = 100;

/** A call in one line. */
export function printCall(name: string, inputJson: string): string {
  const telling = TELLING.get(name);
  const input = parseJsonObject(inputJson) ?? {};
  const value = telling === undefined ? firstQuestion(input) : input[telling];
  const about = typeof value === "string" ? value : inputJson === "{}" ? "" : inputJson;
  return `${oneLine(name, 60)} ${oneLine(about, LINE_CHARS)}`.trimEnd();
}

/** The first question in the input of an agent's question to its user. */
function firstQuestion({ questions }: JsonObject): unknown {
  const [first] = Array.isArray(questions) ? questions : [];
  return isJsonObject(first) ? first.question : undefined;
}

/** How much of a call is shown before a decision; the number of omitted characters is always shown. */
const SHOWN_CHARS = 6000;

/** Everything that a call would do, shown before the decision. */
export function printWholeCall(name: string, inputJson: string): string {
  const input = parseJsonObject(inputJson) ?? {};
  const { command, file_path, content, old_string, new_string } = input;
  if (name === "Bash" && typeof command === "string") return shown(`$ ${command}`);
  if (typeof file_path === "string" && typeof old_string === "string" && typeof new_string === "string")
    return shown(`${file_path}\n${marked("-", old_string)}\n${marked("+", new_string)}`);
  if (typeof file_path === "string" && typeof content === "string")
    return shown(`${file_path}\n${marked("+", content)}`);
  const text = JSON.stringify(input, undefined, 2);
  return shown(text === "{}" ? inputJson : text);
}

function shown(text: string): string {
  const left = text.length - SHOWN_CHARS;
  return left > 0 ? `${plain(text.slice(0, SHOWN_CHARS))}\n… and ${left} more characters` : plain(text);
}

const marked = (mark: string, text: string) =>
  text
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");
