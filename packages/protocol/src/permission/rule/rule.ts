import { currentToolName } from "../../catalog/tool-name.ts";
import type { Infer } from "../../schema/schema.ts";
import type { permissionRuleValue } from "../update.ts";

/** A pattern for tool calls: all calls of a tool, or those that its content describes. */
export interface PermissionRule {
  readonly toolName: string;
  /** Absent means the whole tool. */
  readonly content?: string;
}

/** A parsed rule, or what is wrong with it. */
export type RuleReading =
  | { readonly ok: true; readonly rule: PermissionRule }
  | { readonly ok: false; readonly text: string; readonly reason: string };

const TOOL_NAME = /^[^\s()\\,\p{C}]+$/u;

/** Parses `Tool` or `Tool(content)`; `Tool()` and `Tool(*)` mean the whole tool. */
export function parseRule(written: string): RuleReading {
  const text = written.trim();
  const bad = (reason: string): RuleReading => ({ ok: false, text, reason });
  const open = text.indexOf("(");
  const name = open < 0 ? text : text.slice(0, open);
  if (!TOOL_NAME.test(name))
    return bad(name === "" ? "it names no tool" : "it has a character that no tool name may have");
  if (open < 0) return { ok: true, rule: permissionRule(name) };
  const inside = text.slice(open + 1);
  if (!endsAtBracket(inside)) return bad("it doesn't end with the closing bracket");
  const rule = permissionRule(name, unescapeContent(inside.slice(0, -1)));
  if (rule.content !== undefined && name.startsWith("mcp__"))
    return bad("a rule for an MCP tool takes no brackets");
  return { ok: true, rule };
}

/** Formats a rule so that parsing it gives the same rule. */
export function printRule({ toolName, content }: PermissionRule): string {
  return content === undefined ? toolName : `${toolName}(${content.replace(/[\\()]/g, "\\$&")})`;
}

/** A rule in normal form, for comparison: the tool's current name, and no content if the content adds nothing. */
export function permissionRule(toolName: string, content?: string | null): PermissionRule {
  const name = currentToolName(toolName);
  return content == null || content === "" || content === "*"
    ? { toolName: name }
    : { toolName: name, content };
}

function endsAtBracket(inside: string): boolean {
  if (!inside.endsWith(")")) return false;
  let first = inside.length - 1;
  while (inside.charAt(first - 1) === "\\") first -= 1;
  return (inside.length - 1 - first) % 2 === 0;
}

function unescapeContent(content: string): string {
  return content.replace(/\\([\\()])/g, "$1");
}

/**
 * Parses a list of rules such as `--allowedTools "Read,Bash(git log *) Edit"`. Commas and spaces separate
 * rules outside brackets; as in the official agent, a backslash doesn't hide a bracket.
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

/** A rule in the form of permission updates. */
export type PermissionRuleValue = Infer<typeof permissionRuleValue>;

/** The rule in a permission update. */
export function ruleFromValue({ toolName, ruleContent }: PermissionRuleValue): PermissionRule {
  return permissionRule(toolName, ruleContent);
}

/** A rule in the form of permission updates. */
export function ruleToValue({ toolName, content }: PermissionRule): PermissionRuleValue {
  return content === undefined ? { toolName } : { toolName, ruleContent: content };
}
