import { hasExpansion, literalValue, MARK } from "../../../shell/marks.ts";
import type { ShellPart, ShellWord } from "../../../shell/part.ts";
import { printsOnly } from "../../../shell/printf.ts";
import {
  ARGUMENT_KEEPERS,
  FIND_ACTIONS,
  INPUT_RUNNERS,
  NAME_EVALUATORS,
  OPEN_RUNNERS,
  RISKY_OPTIONS,
  SHELLS,
  SIDE_RUNNERS,
  VERB_RUNNERS,
} from "./programs.ts";
import { type Inner, innerCommand, MAX_LAYERS } from "./wrappers.ts";

/** The name of the program that a command runs, without its directory; undefined if only the shell knows. */
export function programName(words: readonly ShellWord[]): string | undefined {
  const value = words[0] && literalValue(words[0].text);
  return value?.slice(value.lastIndexOf("/") + 1);
}

/** Whether the input and the arguments of a program are commands. */
export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Whether a program executes its input. */
export function runsItsInput(name: string | undefined): boolean {
  return name === undefined || INPUT_RUNNERS.has(name);
}

/** Whether a program's arguments may be another command, in a way that `unwrap` doesn't know. */
export function mayRunArguments(name: string, inner: Inner, args: readonly ShellWord[]): boolean {
  if (inner === "nothing" || ARGUMENT_KEEPERS.has(name)) return false;
  if (name === "sed") return args.some(({ text }) => SED_RUNS.test(text));
  const verbs = VERB_RUNNERS.get(name);
  if (verbs === undefined || takesRiskyOption(name, args)) return true;
  // A single letter counts as a verb only in the verb's position.
  return args.some(({ text }, at) => verbs.test(text) && (at === 0 || text.length > 1));
}

// The command `e`, and the flag `e` of `s`.
const SED_RUNS = /(?:^|[;{}\s\d$/])e(?:\s|$)|[^\w\s][gipw\d]*e[gipw\d]*(?:[;}\s]|$)/;

function takesRiskyOption(name: string, args: readonly ShellWord[]): boolean {
  const risky = RISKY_OPTIONS.get(name);
  return (
    risky !== undefined &&
    args.some(({ text }) => risky.test(text) || isMadeByCommand(text) || isGlobbedOption(text))
  );
}

/** The part that a wrapper, called by its plain name, runs, with everything else of the original part. */
export function unwrap(part: ShellPart): ShellPart | undefined {
  const inner = innerCommand(literalValue(part.words[0]?.text ?? "") ?? "", part.words);
  if (typeof inner === "string") return undefined;
  return { ...part, words: inner.words, assignments: [...part.assignments, ...inner.assignments] };
}

/** How many leading words of a command an allow rule must spell out; `Infinity` if only the whole text will do. */
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
  if (name === "printf") return !printsOnly(texts);
  if (takesRiskyOption(name, args)) return true;
  return NAME_EVALUATORS.has(name) && texts.some((text) => text.includes("[") || hasExpansion(text));
}

function mayBecomeOption(text: string): boolean {
  return hasExpansion(text) || isGlobbedOption(text);
}

// The value of a variable is the user's choice; the output of a command is the command's own.
const isMadeByCommand = (text: string) => text.includes(`${MARK.open}$(`) || text.includes(`${MARK.open}\``);

// A file name found by the shell can look like an option.
function isGlobbedOption(text: string): boolean {
  const startsOpen = text.startsWith("-") || text.startsWith(MARK.active);
  return startsOpen && text.includes(MARK.active) && !text.startsWith(`${MARK.active}~`);
}
