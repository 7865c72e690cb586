import { fileRuleName, printRule } from "@agentwire/protocol/permission";
import { parseInput, textField } from "./tool-input.ts";

/** The rule that allows only calls with the same command or file: of the whole tool if a call has neither, empty if no rule can say it. */
export function exactRule(toolName: string, inputJson: string): string {
  const input = parseInput(inputJson);
  const command = textField(input, "command");
  // In a rule, a star stands for any text.
  if (/[\n*]/.test(command)) return "";
  if (command !== "") return printRule({ toolName, content: command });
  const path = textField(input, "file_path") || textField(input, "notebook_path");
  return path === ""
    ? toolName
    : printRule({ toolName: fileRuleName(toolName) ?? toolName, content: `/${path}` });
}
