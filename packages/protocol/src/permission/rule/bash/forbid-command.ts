import { literalValue } from "../../../shell/marks.ts";
import type { Redirect } from "../../../shell/part.ts";
import { matchesFileRule } from "../file-rule.ts";
import type { GivenRule, RuleContext } from "../given-rule.ts";
import { matchesWildcard, wildcard } from "../wildcard.ts";
import type { BashCommand } from "./command.ts";
import { type BashPattern, parseBashPattern } from "./pattern.ts";

/**
 * Whether a deny or ask rule with content names anything that a command runs, or a file that the shell opens
 * for it. Quoting and spacing don't hide a name, but expansions can: a deny rule for Bash prevents accidents,
 * not attacks.
 */
export function forbidsCommand(
  given: GivenRule,
  content: string,
  command: BashCommand,
  context: RuleContext,
): boolean {
  if (given.rule.toolName === "Bash") return forbidsText(parseBashPattern(content), command);
  if (!command.reading.ok) return false;
  return command.reading.parts.some(({ redirects }) => forbidsFile(given, content, redirects, context));
}

function forbidsText(
  { content, command: pattern }: BashPattern,
  { text, suspects, isTooLong }: BashCommand,
): boolean {
  if (isTooLong && suspects.length === 0) return false;
  if (content.trim() === text.trim()) return true;
  if (!pattern) return matchesWildcard(wildcard(`*${squeeze(content)}*`, "*"), squeeze(text));
  return pattern.traces.some(({ spaced, within }) =>
    suspects.some(
      ({ texts, argumentsToo }) =>
        texts.some((one) => matchesWildcard(spaced, one)) ||
        (argumentsToo !== undefined && within.some((one) => matchesWildcard(one, argumentsToo))),
    ),
  );
}

function forbidsFile(
  given: GivenRule,
  content: string,
  redirects: readonly Redirect[],
  context: RuleContext,
): boolean {
  return redirects.some(({ access, target }) => {
    const call = {
      toolName: access === "write" ? "Write" : "Read",
      input: { file_path: literalValue(target.text) },
    };
    // The resolved paths are those of the caller's own call, not of this one.
    return matchesFileRule(given, content, call, { ...context, resolvedPaths: [] });
  });
}

function squeeze(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
