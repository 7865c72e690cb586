/** The input of a tool call: an object, or nothing where it is none. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Reads the input of a call; what is not an object is not an input. */
export function parseInput(json: string): ToolInput {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ToolInput) : {};
  } catch {
    return {};
  }
}

/** A field that holds text; empty if it does not. */
export function textField(input: ToolInput, name: string): string {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** The fields that say most about a call, the first that is there. */
const TELLING = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "path",
  "query",
  "url",
  "description",
  "prompt",
];

/** One line that says what a call is about. */
export function summaryOf(input: ToolInput): string {
  const text =
    TELLING.map((name) => textField(input, name)).find((value) => value !== "") ??
    (firstQuestion(input) || currentTodo(input));
  const [line = ""] = text.split("\n", 1);
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** What the user is asked first. */
function firstQuestion({ questions }: ToolInput): string {
  const [first] = Array.isArray(questions) ? (questions as readonly unknown[]) : [];
  return typeof first === "object" && first !== null ? textField(first as ToolInput, "question") : "";
}

/** What a list of things to do is at. */
function currentTodo({ todos }: ToolInput): string {
  if (!Array.isArray(todos)) return "";
  const all = todos.filter((todo): todo is ToolInput => typeof todo === "object" && todo !== null);
  const now = all.find((todo) => textField(todo, "status") === "in_progress");
  if (now) return textField(now, "activeForm") || textField(now, "content");
  const isDone = all.every((todo) => textField(todo, "status") === "completed");
  return isDone ? `all ${all.length} things are done` : `${all.length} things to do`;
}

/** JSON as people read it; anything else as it is. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
