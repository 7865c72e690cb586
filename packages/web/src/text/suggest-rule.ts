import type { Question } from "@agentwire/api";
import { parseInput, textField } from "@agentwire/view/text";

/** The rule to propose for a call: the agent's suggestion, or else a rule that allows only this call. */
export function suggestRule({ suggestedRules: [suggested], toolName, inputJson }: Question): string {
  if (suggested !== undefined) return suggested;
  const input = parseInput(inputJson);
  const command = textField(input, "command");
  if (toolName === "Bash") return command.includes("\n") ? "" : `Bash(${command})`;
  const path = textField(input, "file_path");
  return path === "" ? toolName : `${toolName}(/${path})`;
}
