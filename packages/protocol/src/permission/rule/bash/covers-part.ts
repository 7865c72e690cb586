import { literalValue, MARK } from "../../../shell/marks.ts";
import type { Redirect, ShellPart, ShellWord } from "../../../shell/part.ts";
import { matchesWildcard } from "../wildcard.ts";
import { nameSet } from "./name-set.ts";
import { type BashPattern, type CommandPattern, isExact } from "./pattern.ts";
import { programName, runsItsInput, unwrap, wordsToSpellOut } from "./runners.ts";
import { MAX_LAYERS } from "./wrappers.ts";

// Variables that change how a program prints, not what it runs, loads or connects to.
const HARMLESS_NAMES = nameSet(
  "CI NODE_ENV RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE FORCE_COLOR NO_COLOR CLICOLOR",
  "CLICOLOR_FORCE COLUMNS LINES LANG LC_ALL LC_CTYPE TZ",
);
const HARMLESS_VALUE = /^[A-Za-z0-9_.,:=@+-]*$/;

/** Whether a command does the same with this leading assignment as without it. */
function isHarmlessAssignment({ text }: ShellWord): boolean {
  const equals = text.indexOf("=");
  return HARMLESS_NAMES.has(text.slice(0, equals)) && HARMLESS_VALUE.test(text.slice(equals + 1));
}

/**
 * One layer of a part, such as the command itself or the one that `timeout 5` runs in it, parsed once for all
 * rules.
 */
interface Layer {
  readonly part: ShellPart;
  readonly text: string;
  readonly wordsToSpellOut: number;
}

/** The layers of a part, the outermost first. */
export function layersOf(part: ShellPart): readonly Layer[] {
  const layers: Layer[] = [];
  for (let inner: ShellPart | undefined = part; inner && layers.length < MAX_LAYERS; inner = unwrap(inner)) {
    const text = inner.words.map((word) => word.text).join(MARK.gap);
    layers.push({ part: inner, text, wordsToSpellOut: wordsToSpellOut(inner.words) });
  }
  return layers;
}

/** Whether an allow rule covers one of the layers of a part. */
export function coversPart(pattern: BashPattern, layers: readonly Layer[]): boolean {
  return layers.some((layer) => covers(pattern, layer));
}

function covers(pattern: BashPattern, { part, text, wordsToSpellOut: fixed }: Layer): boolean {
  const { command } = pattern;
  return (
    command !== undefined &&
    part.words.length > 0 &&
    command.fixedWords >= fixed &&
    command.wordings.some((wording) => matchesWildcard(wording, text)) &&
    part.redirects.every(isPlainRead) &&
    !(isExact(pattern) && hasUntoldInput(part)) &&
    coversAssignments(command, part)
  );
}

function coversAssignments({ assignments }: CommandPattern, part: ShellPart): boolean {
  if (assignments.length === 0) return part.assignments.every(isHarmlessAssignment);
  return part.assignments.map(({ text }) => text).join(MARK.gap) === assignments.join(MARK.gap);
}

// An exact rule includes the whole command; for others, the input of a program may be commands too.
function hasUntoldInput({ input, redirects, piped, words }: ShellPart): boolean {
  return input.length > 0 || redirects.length > 0 || (piped && runsItsInput(programName(words)));
}

// A file in /dev may be a network connection.
function isPlainRead({ access, target }: Redirect): boolean {
  const path = literalValue(target.text);
  return access === "read" && path !== undefined && !path.startsWith("/dev/");
}
