/** The input of a tool call; empty if it was not an object. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Parses the input of a call; anything but an object yields an empty input. */
export function parseInput(json: string): ToolInput {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ToolInput) : {};
  } catch {
    return {};
  }
}

/** The value of a string field; empty if it is missing or not a string. */
export function textField(input: ToolInput, name: string): string {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** The fields that describe a call best, in order of preference. */
const SUMMARY_FIELDS = [
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

/** A one-line summary of a call. */
export function summaryOf(input: ToolInput): string {
  const text =
    SUMMARY_FIELDS.map((name) => textField(input, name)).find((value) => value !== "") ??
    (firstQuestion(input) || currentTodo(input));
  const [line = ""] = text.split("\n", 1);
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** The first question to the user. */
function firstQuestion({ questions }: ToolInput): string {
  const [first] = Array.isArray(questions) ? (questions as readonly unknown[]) : [];
  return typeof first === "object" && first !== null ? textField(first as ToolInput, "question") : "";
}

/** The current item of a to-do list. */
function currentTodo({ todos }: ToolInput): string {
  if (!Array.isArray(todos)) return "";
  const all = todos.filter((todo): todo is ToolInput => typeof todo === "object" && todo !== null);
  const now = all.find((todo) => textField(todo, "status") === "in_progress");
  if (now) return textField(now, "activeForm") || textField(now, "content");
  const isDone = all.every((todo) => textField(todo, "status") === "completed");
  return isDone ? `all ${all.length} to-dos done` : `${all.length} to-dos`;
}

/** Indents JSON; other text is returned unchanged. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
