import { literalValue, MARK, withoutExpansions, withoutMarks } from "../../../shell/marks.ts";
import type { ShellPart, ShellReading, ShellWord } from "../../../shell/part.ts";
import { readShell } from "../../../shell/read-shell.ts";
import { isShell, mayRunArguments, programName } from "./runners.ts";
import { innerCommand } from "./wrappers.ts";

/** A command that a text runs or may run, in the forms that a deny or ask rule is compared with. */
export interface Suspect {
  /** Its possible readings, words joined by spaces. */
  readonly texts: readonly string[];
  /** Its words joined by gaps, if any of them may begin another command. */
  readonly argumentsToo?: string;
}

const MAX_DEPTH = 8;
const MAX_EMBEDDED = 8;
const SCRIPT_LIKE = /[\s;&|(`]/;
const COMMAND_START = /[;&|(){}<>`\p{Cc}]|\$\(/u;
const UNSEEN_OR_QUOTE = /\\\n|['"\\]|\p{Cf}/gu;
const BEFORE_COMMAND = /^(?:(?:if|then|elif|else|while|until|do|!|\w+=\S*)\s+)*/;

/** Limits the analysis: nested scripts and wrappers amount to more than the text that contains them. */
export interface AnalysisLimits {
  /** In words; below zero, something was skipped. */
  left: number;
}

/** Enough for any command that a person would write; takes some tens of milliseconds. */
export const MAX_ANALYSIS = 20_000;
/** This many characters take as long to read as one word to compare. */
const CHARS_A_WORD = 16;
/** The cost of a command besides its words. */
const A_PART = 8;

/** Every command that a text visibly runs, including in wrappers, in scripts given as arguments, and in heredocs. */
export function findSuspects(
  text: string,
  reading: ShellReading,
  effort: AnalysisLimits,
  depth = 0,
): readonly Suspect[] {
  const suspects: Suspect[] = [];
  for (const part of reading.ok ? reading.parts : fragments(text)) {
    if (effort.left < 0) break;
    suspects.push(...suspectsOf(part, effort, depth));
  }
  return suspects;
}

function suspectsOf(part: ShellPart, effort: AnalysisLimits, depth: number): readonly Suspect[] {
  const { words, assignments, input } = part;
  effort.left -= A_PART + words.length + assignments.length;
  if (effort.left < 0) return [];
  const plain = readings(words);
  const texts = assignments.length > 0 ? [...plain, ...readings([...assignments, ...words])] : plain;
  const name = programName(words);
  if (name === undefined) return [{ texts }];
  const inner = innerCommand(name, words);
  const isDeep = depth >= MAX_DEPTH;
  if (typeof inner === "object" && !isDeep)
    return [{ texts }, ...suspectsOf({ ...part, ...inner }, effort, depth + 1)];
  if (typeof inner !== "object" && !mayRunArguments(name, inner, words.slice(1))) return [{ texts }];
  const suspect = { texts, argumentsToo: words.map(({ text }) => withoutMarks(text)).join(MARK.gap) };
  if (isDeep) return [suspect];
  const values = words.slice(1).map(({ text }) => literalValue(text) ?? "");
  // A script embedded in a value has the same spaces and marks as the value.
  const given = values
    .filter((value) => SCRIPT_LIKE.test(value))
    .flatMap((value) => [value, ...embedded(value).filter((inner) => SCRIPT_LIKE.test(inner))]);
  const scripts = isShell(name) ? [...given, ...input] : given;
  if (scripts.length === 0) return [suspect];
  const read = (script: string) => {
    effort.left -= Math.ceil(script.length / CHARS_A_WORD);
    return effort.left < 0 ? [] : findSuspects(script, readShell(script), effort, depth + 1);
  };
  return [suspect, ...scripts.flatMap(read)];
}

/** The rest of a value after a name or a mark, as in `--to-command=rm x`, `EXEC:rm x` and `!rm x`. */
function embedded(value: string): readonly string[] {
  const starts = [...value.matchAll(/[=:!]/g)].slice(0, MAX_EMBEDDED).map(({ index }) => index + 1);
  return starts.map((start) => value.slice(start));
}

function readings(words: readonly ShellWord[]): readonly string[] {
  const forms = words.every(({ text }) => isLiteral(text))
    ? [words.map(({ text }) => text)]
    : // An expansion with an empty value hides a name only from the reader.
      [
        words.map(({ text }) => withoutMarks(text)),
        words.map(({ text }) => withoutExpansions(text)).filter((text) => text !== ""),
      ];
  const last = forms.at(-1) ?? [];
  if (last.some((text) => text.includes("{"))) forms.push(unbrace(last));
  return forms.flatMap((form) =>
    form[0]?.includes("/") ? [form.join(" "), withoutDirectory(form).join(" ")] : [form.join(" ")],
  );
}

/** Whether a word is the same in every reading. */
const isLiteral = (text: string) => text !== "" && literalValue(text) !== undefined;

// Cuts text that can't be parsed wherever a command might begin.
function* fragments(text: string): Generator<ShellPart> {
  const visible = text.replace(UNSEEN_OR_QUOTE, "");
  for (const fragment of new Set(visible.split(COMMAND_START))) {
    const source = fragment.trim().replace(BEFORE_COMMAND, "");
    const words = source.split(/\s+/).map((word) => ({ source: word, text: word }));
    yield { source, assignments: [], words, redirects: [], input: [], piped: false, background: false };
  }
}

function unbrace(words: readonly string[]): string[] {
  return words
    .join(" ")
    .split(/[ {},]+/)
    .filter((word) => word !== "");
}

function withoutDirectory([program = "", ...rest]: readonly string[]): readonly string[] {
  return [program.slice(program.lastIndexOf("/") + 1), ...rest];
}
