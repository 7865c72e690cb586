import { parseInput, pretty, textField } from "@agentwire/view/text";

/** What people edit of a call's input: the command, if it is nothing else, or all of it as JSON. */
export function editable(inputJson: string): string {
  return commandOf(inputJson) ?? pretty(inputJson);
}

/** The input after it was edited, as JSON; undefined if it is none any more. */
export function edited(inputJson: string, text: string): string | undefined {
  if (commandOf(inputJson) !== undefined)
    return JSON.stringify({ ...parseInput(inputJson), command: text.trim() });
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? text : undefined;
  } catch {
    return undefined;
  }
}

function commandOf(inputJson: string): string | undefined {
  const input = parseInput(inputJson);
  const command = textField(input, "command");
  const isAll = Object.keys(input).every((name) => name === "command" || name === "description");
  return command !== "" && isAll ? command : undefined;
}
