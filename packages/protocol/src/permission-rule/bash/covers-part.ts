import { literalValue, MARK } from "../shell/marks.ts";
import type { Redirect, ShellPart } from "../shell/part.ts";
import { matchesWildcard } from "../wildcard.ts";
import { isHarmlessAssignment } from "./assignments.ts";
import { type BashPattern, type CommandPattern, isExact } from "./pattern.ts";
import { programName, runsItsInput, unwrap, wordsToSpellOut } from "./runners.ts";
import { MAX_LAYERS } from "./wrappers.ts";

/** Whether an allow rule covers one part of a command, or what a wrapper such as `timeout 5` runs in it. */
export function coversPart(pattern: BashPattern, part: ShellPart): boolean {
  let layer: ShellPart | undefined = part;
  for (let depth = 0; layer && depth < MAX_LAYERS; depth += 1) {
    if (covers(pattern, layer)) return true;
    layer = unwrap(layer);
  }
  return false;
}

function covers(pattern: BashPattern, part: ShellPart): boolean {
  const { command } = pattern;
  return (
    command !== undefined &&
    part.words.length > 0 &&
    command.fixedWords >= wordsToSpellOut(part.words) &&
    part.redirects.every(isPlainRead) &&
    !(isExact(pattern) && hasUntoldInput(part)) &&
    coversAssignments(command, part) &&
    matchesAny(command.texts, part.words.map(({ text }) => text).join(MARK.gap))
  );
}

function coversAssignments({ assignments }: CommandPattern, part: ShellPart): boolean {
  if (assignments.length === 0) return part.assignments.every(isHarmlessAssignment);
  return part.assignments.map(({ text }) => text).join(MARK.gap) === assignments.join(MARK.gap);
}

// An exact rule knows the whole command, and what a program is fed may be commands too.
function hasUntoldInput({ input, redirects, piped, words }: ShellPart): boolean {
  return input.length > 0 || redirects.length > 0 || (piped && runsItsInput(programName(words)));
}

// A name in /dev may be a network connection.
function isPlainRead({ access, target }: Redirect): boolean {
  const path = literalValue(target.text);
  return access === "read" && path !== undefined && !path.startsWith("/dev/");
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, text, MARK.wild));
}
