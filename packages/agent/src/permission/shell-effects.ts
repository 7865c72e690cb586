import { basename, isAbsolute, join, resolve } from "node:path";
import { literalValue, readShell, type ShellPart } from "@agentwire/protocol";
import { isReadOnlyGit } from "../tools/bash/read-only-git.ts";
import type { Access } from "./access.ts";
import { EDITORS, type EditingProgram, type EditKind, type KnownProgram, READERS } from "./shell-programs.ts";

/** What one part of a shell command does, as far as that is known. */
export interface PartEffect {
  readonly source: string;
  /** `read` and `edit` do nothing beside their accesses; of `other` nobody knows. */
  readonly does: "read" | "edit" | "other";
  readonly accesses: readonly Access[];
  /** It calls git, which does more where a repository's configuration says so. */
  readonly isGit?: true;
}

type Effect = Omit<PartEffect, "source">;

const NAMES_ITS_PATTERN = /^-[^-]*[ef]|^--[rf]/;
const HIDES_PATH = /[/~]|\.\./;
// Builtins that move the shell, or run what may.
const MOVERS: ReadonlySet<string> = new Set(["pushd", "popd", "eval", "source", ".", "builtin", "command"]);
const READS_NOTHING = { does: "read", accesses: [] } as const;

const isOption = (word: string) => word.startsWith("-") && word !== "-";

/** What each part of a command does; undefined when the command can't be split into its parts safely. */
export function shellEffects(command: string, cwd: string): readonly PartEffect[] | undefined {
  const reading = readShell(command);
  if (!reading.ok) return undefined;
  const [first, ...rest] = reading.parts;
  const folder = first && folderOf(first);
  // Only where the shell moves before it does anything is it known where the rest happens.
  if (folder !== undefined && rest.length > 0 && resolve(cwd, folder) !== cwd) {
    const later = shellEffectsOf(rest, cwd);
    const there = later.map((effect) => happeningIn(folder, effect));
    return [
      { source: first?.source ?? "", does: "read", accesses: [{ kind: "read", path: folder }] },
      ...there,
    ];
  }
  return shellEffectsOf(reading.parts, cwd);
}

function shellEffectsOf(parts: readonly ShellPart[], cwd: string): readonly PartEffect[] {
  const effects = parts.map(effectOf);
  const isAlone = effects.filter(({ accesses }) => accesses.length > 0).length <= 1;
  return parts.some((part) => movesShell(part, cwd) || (!isAlone && movesFiles(part)))
    ? effects.map((effect) => ({ ...effect, does: "other" }))
    : effects;
}

/** Where a part that does nothing but `cd` leads, if it says so plainly. */
function folderOf({ words, redirects, assignments }: ShellPart): string | undefined {
  const [program, folder, ...more] = words.map(({ text }) => literalValue(text));
  const isPlain = program === "cd" && more.length === 0 && redirects.length === 0 && assignments.length === 0;
  // Without a folder, with `-` and with an option it leads where nobody can see.
  return isPlain && folder !== undefined && /^[./\w]/.test(folder) ? folder : undefined;
}

/** An effect after a `cd`, which may have failed: its paths are meant from both folders. Git runs what it finds where it is. */
function happeningIn(folder: string, effect: PartEffect): PartEffect {
  const there = effect.accesses.flatMap(({ kind, path }): Access[] =>
    isAbsolute(path) || path.startsWith("~") ? [] : [{ kind, path: `${folder}/${path}` }],
  );
  const does = effect.isGit ? "other" : effect.does;
  return { ...effect, does, accesses: [...effect.accesses, ...there] };
}

// From another folder the same words name other files.
function movesShell({ words }: ShellPart, cwd: string): boolean {
  const [program, ...args] = words.map(({ text }) => literalValue(text));
  if (words.length === 0) return false;
  if (program === "cd") return !(args.length === 1 && args[0] !== undefined && resolve(cwd, args[0]) === cwd);
  return program === undefined || MOVERS.has(program);
}

// Links that move along lead somewhere else than what was looked at before.
function movesFiles({ words }: ShellPart): boolean {
  return EDITORS.get(literalValue(words[0]?.text ?? "") ?? "")?.edits === "move";
}

function effectOf(part: ShellPart): PartEffect {
  const { source } = part;
  const redirected = part.redirects.map(({ access, target }) => accessOf(access, literalValue(target.text)));
  const words = part.words.map(({ text }) => literalValue(text));
  const known = words.every((word) => word !== undefined) ? ofWords(words) : undefined;
  const accesses = [...(known?.accesses ?? []), ...redirected.flatMap((one) => (one ? [one] : []))];
  const isClear = known?.does !== "other" && redirected.every(Boolean) && part.assignments.length === 0;
  if (!known || !isClear) return { source, does: "other", accesses };
  const does = accesses.some(({ kind }) => kind === "write") ? "edit" : "read";
  return { source, does, accesses, ...(known.isGit && { isGit: true }) };
}

function accessOf(kind: Access["kind"], path: string | undefined): Access | undefined {
  return path === undefined ? undefined : { kind, path };
}

function ofWords(words: readonly string[]): Effect | undefined {
  const [program = "", ...args] = words;
  if (words.length === 0) return READS_NOTHING;
  if (program === "cd") return READS_NOTHING;
  if (program === "git") return ofGit(args);
  const reader = READERS.get(program);
  if (reader) return ofReader(reader, args);
  const editor = EDITORS.get(program);
  return editor ? ofEditor(editor, args) : undefined;
}

// A path outside the project, and options with which git compares files that it does not keep.
const LEAVES_REPOSITORY = /^[/~]|(?:^|\/)\.\.(?:\/|$)|^--no-i|^--(?:git-dir|work-tree)/;

function ofGit(args: readonly string[]): Effect | undefined {
  const isInside = !args.some((arg) => LEAVES_REPOSITORY.test(arg));
  return isInside && isReadOnlyGit(args) ? { ...READS_NOTHING, isGit: true } : undefined;
}

function ofReader(
  { operands: meaning, refuses, maxOperands = Number.POSITIVE_INFINITY }: KnownProgram,
  args: readonly string[],
): Effect {
  const options = args.filter(isOption);
  const operands = args.filter((arg) => !isOption(arg));
  const isPlain = (option: string) =>
    refuses?.test(option) !== true &&
    // After `--` an option may be a file.
    (meaning === "text" || (option !== "--" && !HIDES_PATH.test(option)));
  const patternFirst = meaning === "pattern" && !options.some((option) => NAMES_ITS_PATTERN.test(option));
  const paths = meaning === "text" ? [] : operands.slice(patternFirst ? 1 : 0);
  return {
    does: options.every(isPlain) && operands.length <= maxOperands ? "read" : "other",
    accesses: paths.filter((path) => path !== "-").map((path) => ({ kind: "read", path })),
  };
}

function ofEditor({ edits, options: simple }: EditingProgram, args: readonly string[]): Effect {
  const options = args.filter(isOption);
  const accesses = editedBy(
    edits,
    args.filter((arg) => !isOption(arg)),
  );
  return { does: simple && options.every((option) => simple.test(option)) ? "edit" : "other", accesses };
}

function editedBy(edits: EditKind, operands: readonly string[]): readonly Access[] {
  if (edits === "each") return operands.map((path) => ({ kind: "write", path }));
  const sources = operands.slice(0, -1);
  const target = operands.at(-1) ?? "";
  return [
    { kind: "write", path: target },
    // The target may be a folder in which a file of that name is a link to somewhere else.
    ...sources.map((path): Access => ({ kind: "write", path: join(target, basename(path)) })),
    ...sources.map((path): Access => ({ kind: edits === "move" ? "write" : "read", path })),
  ];
}
