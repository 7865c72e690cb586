import type { GivenRule } from "../given-rule.ts";
import type { BashCommand } from "./command.ts";
import { coversPart, layersOf } from "./covers-part.ts";
import { isExact, parseBashPattern } from "./pattern.ts";

/** What the allow rules together say about a command. */
export interface BashCover {
  /** One rule for each covered part, or the rule that is identical to the whole command. */
  readonly rules: readonly GivenRule[];
  /** The source of each part that no rule covers. */
  readonly uncovered: readonly string[];
}

/** Finds an allow rule for each part of a command, since a rule for one part says nothing about the next. */
export function coverCommand(given: readonly GivenRule[], { text, reading }: BashCommand): BashCover {
  const patterns = given.map(({ rule }) => parseBashPattern(rule.content ?? ""));
  // A star that is a rule's wildcard is not the shell's, even if the two texts look alike.
  const whole = given[patterns.findIndex((pattern) => pattern.content === text && isExact(pattern))];
  if (whole) return { rules: [whole], uncovered: [] };
  if (!reading.ok) return { rules: [], uncovered: [text] };
  const rules = new Set<GivenRule>();
  const uncovered = new Set<string>();
  for (const part of reading.parts) {
    const layers = layersOf(part);
    const rule = given[patterns.findIndex((pattern) => coversPart(pattern, layers))];
    if (rule) rules.add(rule);
    else uncovered.add(part.source);
  }
  return { rules: [...rules], uncovered: [...uncovered] };
}
