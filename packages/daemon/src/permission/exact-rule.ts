import { join, resolve } from "node:path";
import type { Question } from "@agentwire/api";
import { isJsonObject } from "@agentwire/protocol";
import { fileRuleName, type PermissionRule, parseRule } from "@agentwire/protocol/permission";

/** Characters with a special meaning in a rule. */
const PATTERN = /[*?[\]{}\\!]/;

/** The folders that paths of a call or rule are relative to. */
export interface PathBase {
  readonly cwd: string;
  readonly home: string;
}

/** Whether a rule allows exactly the call of a question and nothing else: the same command verbatim, or the same file. */
export function isExactRule(text: string, { toolName, inputJson }: Question, place: PathBase): boolean {
  const reading = parseRule(text);
  const input: unknown = JSON.parse(inputJson || "{}");
  if (!reading.ok || !isJsonObject(input)) return false;
  const { rule } = reading;
  if (toolName === "Bash") return rule.toolName === "Bash" && isThisCommand(rule, input.command);
  const path = input.file_path ?? input.notebook_path;
  return (
    typeof path === "string" && rule.toolName === fileRuleName(toolName) && isThisFile(rule, path, place)
  );
}

function isThisCommand({ content }: PermissionRule, command: unknown): boolean {
  return content !== undefined && content === command && !content.includes("*");
}

/** A path without an anchor matches files of that name in every folder, so it is not exact. */
function isThisFile({ content = "" }: PermissionRule, path: string, { cwd, home }: PathBase): boolean {
  if (PATTERN.test(content) || content.endsWith("/")) return false;
  const named = content.startsWith("//")
    ? content.slice(1)
    : content.startsWith("~/")
      ? join(home, content.slice(2))
      : /^\.?\//.test(content)
        ? join(cwd, content)
        : undefined;
  return named !== undefined && resolve(named) === resolve(cwd, path);
}
