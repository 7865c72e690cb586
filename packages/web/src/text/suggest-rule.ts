import type { Question } from "@agentwire/api";
import { exactRule } from "@agentwire/view/text";

/** The rule to propose for a call: the agent's suggestion, unless a safety check stopped the call, or else a rule that allows only this call. */
export function suggestRule({
  suggestedRules: [suggested],
  toolName,
  inputJson,
  reasonType,
}: Question): string {
  return suggested === undefined || reasonType === "safetyCheck" ? exactRule(toolName, inputJson) : suggested;
}
