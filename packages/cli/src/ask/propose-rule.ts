import type { Question } from "@agentwire/api";
import { printRule, suggestRule } from "@agentwire/protocol/permission";
import { inputOf } from "../render/tool-call.ts";

/** The rule to propose for calls like this one: the agent's suggestion, else ours; empty where any would allow too much. */
export function proposeRule(
  {
    toolName,
    inputJson,
    suggestedRules: [suggested],
  }: Pick<Question, "toolName" | "inputJson" | "suggestedRules">,
  cwd: string,
  home: string,
): string {
  if (suggested !== undefined) return suggested;
  const rule = suggestRule({ toolName, input: inputOf(inputJson) }, { cwd, home });
  return rule === undefined ? "" : printRule(rule);
}
