import { hasExpansion, literalValue, MARK } from "../shell/marks.ts";
import type { ShellPart, ShellWord } from "../shell/part.ts";
import {
  FIND_ACTIONS,
  INPUT_RUNNERS,
  NAME_EVALUATORS,
  OPEN_RUNNERS,
  SHELLS,
  SIDE_RUNNERS,
} from "./programs.ts";
import { type Inner, innerCommand, MAX_LAYERS } from "./wrappers.ts";

/** The name of the program a command runs, without its directory; undefined when only the shell knows. */
export function programName(words: readonly ShellWord[]): string | undefined {
  const value = words[0] && literalValue(words[0].text);
  return value?.slice(value.lastIndexOf("/") + 1);
}

/** Whether the input and the arguments of a program are commands. */
export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Whether a program runs what comes through its input. */
export function runsItsInput(name: string | undefined): boolean {
  return name === undefined || INPUT_RUNNERS.has(name);
}

/** Whether the arguments of a program may be another command, in a way that `unwrap` doesn't know. */
export function mayRunArguments(name: string, inner: Inner): boolean {
  return inner === "anything" || OPEN_RUNNERS.has(name) || SIDE_RUNNERS.has(name) || name === "find";
}

/** The part that a wrapper called by its plain name runs, with everything else of the part around it. */
export function unwrap(part: ShellPart): ShellPart | undefined {
  const inner = innerCommand(literalValue(part.words[0]?.text ?? "") ?? "", part.words);
  if (typeof inner === "string") return undefined;
  return { ...part, words: inner.words, assignments: [...part.assignments, ...inner.assignments] };
}

/** How many leading words of a command an allow rule must spell out; `Infinity` when only the whole text will do. */
export function wordsToSpellOut(words: readonly ShellWord[], layer = 0): number {
  const name = programName(words);
  if (name === undefined) return 1;
  const inner = innerCommand(name, words);
  if (inner === "anything" || layer >= MAX_LAYERS) return Number.POSITIVE_INFINITY;
  if (typeof inner === "object") return inner.at + Math.max(1, wordsToSpellOut(inner.words, layer + 1));
  if (OPEN_RUNNERS.has(name)) return 1;
  return hidesCommand(name, words.slice(1)) ? Number.POSITIVE_INFINITY : 0;
}

function hidesCommand(name: string, args: readonly ShellWord[]): boolean {
  const texts = args.map(({ text }) => text);
  if (SIDE_RUNNERS.has(name)) return texts.length > 0;
  if (name === "find") return texts.some((text) => FIND_ACTIONS.has(text) || mayBecomeOption(text));
  if (name === "printf")
    return texts.slice(0, 1).some((text) => text.startsWith("-") || mayBecomeOption(text));
  return NAME_EVALUATORS.has(name) && texts.some((text) => text.includes("[") || hasExpansion(text));
}

function mayBecomeOption(text: string): boolean {
  if (hasExpansion(text)) return true;
  const startsOpen = text.startsWith("-") || text.startsWith(MARK.active);
  return startsOpen && text.includes(MARK.active) && !text.startsWith(`${MARK.active}~`);
}
