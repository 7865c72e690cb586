import { hasExpansion, MARK, withoutMarks } from "../../../shell/marks.ts";
import type { ShellPart } from "../../../shell/part.ts";
import { isReadable, readParts } from "../../../shell/read-shell.ts";
import { type Wildcard, wildcard } from "../wildcard.ts";

/** The content of a Bash rule, prepared for comparison with parts of commands. */
export interface BashPattern {
  readonly content: string;
  /** The content as one command; absent if it is more than that, or could not be a command. */
  readonly command?: CommandPattern;
}

/** A command from a rule, split into words the way the shell splits commands. */
export interface CommandPattern {
  /** Its leading `NAME=value` words. */
  readonly assignments: readonly string[];
  /** Its words joined by gaps; two forms if a wildcard at the end may also stand for nothing. */
  readonly wordings: readonly Wildcard[];
  /** The forms to search for where a command may be hidden. */
  readonly traces: readonly Trace[];
  /** The number of words before the first one with a wildcard; `Infinity` if there is none. */
  readonly fixedWords: number;
}

/** How a command may appear in a text that can't be split, or among the arguments of another. */
export interface Trace {
  readonly spaced: Wildcard;
  readonly within: readonly Wildcard[];
}

const LEGACY_PREFIX = /:\*$/;
const STAR = /\\.|\*/gs;

/** Rules are few and are compared with every call; above this number the cache is cleared. */
const MAX_KNOWN = 1000;
const known = new Map<string, BashPattern>();

/** Parses the content of a Bash rule: a command in which `*` stands for any characters; `prefix:*` is `prefix *`. */
export function parseBashPattern(content: string): BashPattern {
  const before = known.get(content);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const pattern = readPattern(content);
  known.set(content, pattern);
  return pattern;
}

function readPattern(content: string): BashPattern {
  if (!isReadable(content)) return { content };
  const text = content
    .replace(LEGACY_PREFIX, " *")
    .replace(STAR, (found) => (found === "*" ? MARK.wild : found))
    .trim();
  const reading = readParts(text);
  const [part, ...others] = reading.ok ? reading.parts : [];
  const isOneCommand = part !== undefined && others.length === 0 && part.source === text;
  return isOneCommand && isPlain(part) ? { content, command: commandPattern(part) } : { content };
}

/** Whether a pattern matches nothing but its own text. */
export function isExact({ command }: BashPattern): boolean {
  return command === undefined || command.fixedWords === Number.POSITIVE_INFINITY;
}

function isPlain({ assignments, words, redirects, input }: ShellPart): boolean {
  // The value of a variable at another time is not what was allowed.
  const isKnown = [...assignments, ...words].every(({ text }) => !hasExpansion(text));
  const isAssigned = assignments.every(({ text }) => !text.includes(MARK.wild));
  return words.length > 0 && redirects.length === 0 && input.length === 0 && isKnown && isAssigned;
}

function commandPattern({ assignments, words }: ShellPart): CommandPattern {
  const texts = words.map(({ text }) => text);
  const firstWild = texts.findIndex((text) => text.includes(MARK.wild));
  const endsOpen = texts.length > 1 && texts.at(-1) === MARK.wild;
  const forms = (endsOpen ? [texts, texts.slice(0, -1)] : [texts]).map((form) => form.join(MARK.gap));
  const assigned = assignments.map(({ text }) => text);
  return {
    assignments: assigned,
    wordings: forms.map(compiled),
    traces: forms.map((form) => traceOf([...assigned, form].join(MARK.gap))),
    fixedWords: firstWild < 0 ? Number.POSITIVE_INFINITY : firstWild,
  };
}

function traceOf(words: string): Trace {
  const wanted = withoutMarks(words);
  const starts = [MARK.wild + MARK.gap, `${MARK.wild}/`];
  const ends = ["", MARK.gap + MARK.wild];
  return {
    spaced: compiled(wanted.replaceAll(MARK.gap, " ")),
    within: starts.flatMap((start) => ends.map((end) => compiled(start + wanted + end))),
  };
}

const compiled = (pattern: string) => wildcard(pattern, MARK.wild);
