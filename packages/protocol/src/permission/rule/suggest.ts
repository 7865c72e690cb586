import { currentToolName } from "../../catalog/tool-name.ts";
import { suggestBashContent } from "./bash/suggest-content.ts";
import { webHost } from "./domain-rule.ts";
import { fileRuleName } from "./file-rule.ts";
import type { RuleContext, ToolCall } from "./given-rule.ts";
import { suggestPathPattern } from "./path/suggest-pattern.ts";
import { type PermissionRule, permissionRule } from "./rule.ts";

/** The rule to propose for "always allow" of a call; undefined if every rule would allow too much. */
export function suggestRule(call: ToolCall, context: RuleContext): PermissionRule | undefined {
  const toolName = currentToolName(call.toolName);
  const fileRule = fileRuleName(toolName);
  if (fileRule !== undefined)
    return withContent(fileRule, suggestPathPattern({ ...call, toolName }, context));
  switch (toolName) {
    case "Bash":
      return withContent(toolName, bashContent(call.input.command));
    case "WebFetch":
      return withContent(toolName, domainContent(call.input.url));
    case "Skill":
      return withContent(toolName, textOf(call.input.skill));
    case "Agent":
      return withContent(toolName, textOf(call.input.subagent_type));
    default:
      return permissionRule(toolName);
  }
}

function bashContent(command: unknown): string | undefined {
  const text = textOf(command);
  return text === undefined ? undefined : suggestBashContent(text);
}

function domainContent(url: unknown): string | undefined {
  const host = webHost(url);
  return host === undefined ? undefined : `domain:${host}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "*" ? value : undefined;
}

function withContent(toolName: string, content: string | undefined): PermissionRule | undefined {
  return content === undefined ? undefined : permissionRule(toolName, content);
}
