import { matchesFileRule } from "../file-rule.ts";
import type { GivenRule, RuleContext } from "../given-rule.ts";
import { literalValue, MARK, withoutMarks } from "../shell/marks.ts";
import type { Redirect } from "../shell/part.ts";
import { matchesWildcard } from "../wildcard.ts";
import type { BashCommand } from "./command.ts";
import { type BashPattern, parseBashPattern } from "./pattern.ts";

/**
 * Whether a deny or ask rule with content names anything that a command runs, or a file that the shell opens for it.
 * Quoting and spacing don't hide a name, but expansions can: a deny rule for Bash stops mistakes, not malice.
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

function forbidsText({ content, command: pattern }: BashPattern, { text, suspects }: BashCommand): boolean {
  if (content.trim() === text.trim()) return true;
  if (!pattern) return matchesWildcard(`*${squeeze(content)}*`, squeeze(text), "*");
  return pattern.texts.some((words) => {
    const wanted = withoutMarks([...pattern.assignments, words].join(MARK.gap));
    const spaced = wanted.replaceAll(MARK.gap, " ");
    return suspects.some(({ texts, argumentsToo }) => {
      return texts.some((one) => matches(spaced, one)) || beginsWithin(wanted, argumentsToo);
    });
  });
}

function beginsWithin(wanted: string, words: string | undefined): boolean {
  if (words === undefined) return false;
  const starts = [MARK.wild + MARK.gap, `${MARK.wild}/`];
  const ends = ["", MARK.gap + MARK.wild];
  return starts.some((start) => ends.some((end) => matches(start + wanted + end, words)));
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
    // The caller resolved the paths of its own call, not of this one.
    return matchesFileRule(given, content, call, { ...context, resolvedPaths: [] });
  });
}

function matches(pattern: string, text: string): boolean {
  return matchesWildcard(pattern, text, MARK.wild);
}

function squeeze(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
