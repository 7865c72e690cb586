import { parseInput, pretty, textField } from "@agentwire/view/text";

/** The editable text of a call's input: only the command if there is nothing else to edit, otherwise the whole input as JSON. */
export function editable(inputJson: string): string {
  return commandOf(inputJson) ?? pretty(inputJson);
}

/** The edited input as JSON; undefined if the text is no longer a JSON object. */
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
