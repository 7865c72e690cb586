import { parseRule, type RuleReading } from "./rule.ts";

/**
 * Reads a list of rules such as `--allowedTools "Read,Bash(git log *) Edit"`. Commas and spaces split it outside
 * brackets; a backslash doesn't hide a bracket from the split, as in the official agent.
 */
export function parseRuleList(text: string): readonly RuleReading[] {
  return splitRules(text).map(parseRule);
}

function splitRules(text: string): string[] {
  const rules: string[] = [];
  let start = 0;
  let inBrackets = false;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "(") inBrackets = true;
    else if (char === ")") inBrackets = false;
    else if (char === "" || (!inBrackets && (char === "," || char === " "))) {
      rules.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return rules.filter((rule) => rule.trim() !== "");
}
