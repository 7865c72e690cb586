import { basename, isAbsolute, join, resolve } from "node:path";
import {
  literalValue,
  MARK,
  printsOnly,
  readShell,
  type ShellPart,
  type ShellWord,
} from "@agentwire/protocol/shell";
import type { Access } from "./access.ts";
import { findAccesses } from "./find.ts";
import { gitAccesses } from "./git.ts";
import { readOptions } from "./options.ts";
import { EDITORS, type EditKind, type Editor, READERS, type Reader } from "./programs.ts";

/** What one part of a shell command does, as far as that is known. */
export interface PartEffect {
  readonly source: string;
  /** `read` and `edit` do nothing besides their accesses; `other` may do anything. */
  readonly does: "read" | "edit" | "other";
  readonly accesses: readonly Access[];
  /** What it may also read when only the shell knows the names; checked only against rules that close files. */
  readonly mayRead?: readonly Access[];
  /** It calls git, which can do more if the repository's configuration says so. */
  readonly isGit?: true;
}

type Effect = Omit<PartEffect, "source">;

// Builtins that change the shell's folder, or run commands that may.
const MOVERS: ReadonlySet<string> = new Set(["pushd", "popd", "eval", "source", ".", "builtin", "command"]);
const READS_NOTHING = { does: "read", accesses: [] } as const;

/** What each part of a command does; undefined if the command can't be split safely. */
export function shellEffects(command: string, cwd: string): readonly PartEffect[] | undefined {
  const reading = readShell(command);
  if (!reading.ok) return undefined;
  const [first, ...rest] = reading.parts;
  const folder = first && folderOf(first);
  // The folder of the rest is only known if the `cd` comes first.
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
  return parts.some((part) => part.background || movesShell(part, cwd) || (!isAlone && movesFiles(part)))
    ? effects.map((effect) => ({ ...effect, does: "other" }))
    : effects;
}

/** The target of a plain `cd`; undefined for anything else. */
function folderOf({ words, redirects, assignments }: ShellPart): string | undefined {
  const [program, folder, ...more] = words.map(({ text }) => literalValue(text));
  const isPlain = program === "cd" && more.length === 0 && redirects.length === 0 && assignments.length === 0;
  // Without a folder, with `-` or with an option, the target is unknown.
  return isPlain && folder !== undefined && /^[./\w]/.test(folder) ? folder : undefined;
}

/**
 * An effect after a `cd`, which may have failed: its paths are resolved from both folders. Git counts as `other` because it
 * depends on the repository it is in.
 */
function happeningIn(folder: string, effect: PartEffect): PartEffect {
  const there = effect.accesses.flatMap((access): Access[] =>
    isAbsolute(access.path) || access.path.startsWith("~")
      ? []
      : [{ ...access, path: `${folder}/${access.path}` }],
  );
  const does = effect.isGit ? "other" : effect.does;
  return { ...effect, does, accesses: [...effect.accesses, ...there] };
}

// In another folder, the same words name other files.
function movesShell({ words }: ShellPart, cwd: string): boolean {
  const [program, ...args] = words.map(({ text }) => literalValue(text));
  if (words.length === 0) return false;
  if (program === "cd") return !(args.length === 1 && args[0] !== undefined && resolve(cwd, args[0]) === cwd);
  return program === undefined || MOVERS.has(program);
}

// Moved links point to other targets than those checked before.
function movesFiles({ words }: ShellPart): boolean {
  return EDITORS.get(literalValue(words[0]?.text ?? "") ?? "")?.edits === "move";
}

function effectOf(part: ShellPart): PartEffect {
  const { source } = part;
  const redirected = part.redirects.map(({ access, target }) => accessOf(access, literalValue(target.text)));
  const program = literalValue(part.words[0]?.text ?? "");
  const words = part.words.map(({ text }) => (program === "git" ? revision(text) : literalValue(text)));
  const known = words.every((word) => word !== undefined) ? ofWords(words) : undefined;
  const accesses = [...(known?.accesses ?? []), ...redirected.flatMap((one) => (one ? [one] : []))];
  const isClear = known?.does !== "other" && redirected.every(Boolean) && part.assignments.length === 0;
  if (!known || !isClear) {
    const mayRead =
      known === undefined && readsOperands(program) ? part.words.slice(1).flatMap(expanded) : [];
    return { source, does: "other", accesses, ...(mayRead.length > 0 && { mayRead }) };
  }
  const does = accesses.some(({ kind }) => kind === "write") ? "edit" : "read";
  return { source, does, accesses, ...(known.isGit && { isGit: true }) };
}

const readsOperands = (program: string | undefined) =>
  program === "git" || READERS.has(program ?? "") || EDITORS.has(program ?? "");

/** The value of a git argument: a tilde inside a word means an ancestor and is not expanded by the shell. */
const revision = (text: string) => literalValue(text.replaceAll(ANCESTOR, "~"));

const ANCESTOR = new RegExp(`(?<=[\\w^~@])${MARK.active}~(?=[\\d^~:.]|${MARK.active}|$)`, "g");

/** The folders in which the shell may expand a word to file names. */
function expanded({ text }: ShellWord): readonly Access[] {
  if (literalValue(text) !== undefined) return [];
  const [fixed = ""] = text.split(MARK.active, 1);
  const isFound = !text.includes(MARK.close) && !text.startsWith(`${MARK.active}~`);
  const folder = isFound ? fixed.slice(0, fixed.lastIndexOf("/") + 1) || "." : "/";
  return [{ kind: "read", path: folder, below: isFound ? "files" : "history" }];
}

function accessOf(kind: Access["kind"], path: string | undefined): Access | undefined {
  return path === undefined ? undefined : { kind, path };
}

function ofWords(words: readonly string[]): Effect | undefined {
  const [program = "", ...args] = words;
  switch (program) {
    case "":
    case "cd":
    case "echo":
    case "true":
    case "false":
      return READS_NOTHING;
    case "printf":
      return printsOnly(args) ? READS_NOTHING : undefined;
    case "find":
      return reading(findAccesses(args));
    case "git": {
      const known = reading(gitAccesses(args));
      return known && { ...known, isGit: true };
    }
  }
  const reader = READERS.get(program);
  if (reader) return ofReader(reader, args);
  const editor = EDITORS.get(program);
  return editor && ofEditor(editor, args);
}

const reading = (accesses: readonly Access[] | undefined): Effect | undefined =>
  accesses && { does: "read", accesses };

function ofReader(reader: Reader, args: readonly string[]): Effect {
  const read = readOptions(args, reader.options);
  // With an unknown option, other files may be read as well, but the named ones certainly are. After `--`, a file name may look
  // like an option.
  if (!read?.afterDashes.every(isOperand))
    return { does: "other", accesses: args.filter(isOperand).map((path) => ({ kind: "read", path })) };
  const { operands, given } = read;
  const { maxOperands = Number.POSITIVE_INFINITY } = reader;
  return {
    does: operands.length <= maxOperands ? "read" : "other",
    accesses: readPaths(reader, operands, given),
  };
}

function readPaths(
  { operands: meaning, below, mustBeFiles }: Reader,
  operands: readonly string[],
  given: ReadonlySet<string>,
): readonly Access[] {
  if (meaning === "text") return [];
  const namesPattern = given.has("e") || given.has("regexp") || given.has("files");
  const paths = operands.slice(meaning === "pattern" && !namesPattern ? 1 : 0).filter((path) => path !== "-");
  const isBelow = below === "always" || below?.some((name) => given.has(name)) === true;
  // Without operands, a recursive search starts in the current folder.
  const looked = isBelow && paths.length === 0 ? ["."] : paths;
  return looked.map((path) => ({
    kind: "read",
    path,
    ...(isBelow && { below: "files" as const }),
    ...(mustBeFiles && { mustBeFile: true }),
  }));
}

const isOperand = (arg: string) => !arg.startsWith("-");

function ofEditor({ edits, options }: Editor, args: readonly string[]): Effect {
  const read = options && readOptions(args, options);
  return {
    does: read ? "edit" : "other",
    accesses: editedBy(edits, read?.operands ?? args.filter(isOperand)),
  };
}

function editedBy(edits: EditKind, operands: readonly string[]): readonly Access[] {
  if (edits === "each") return operands.map((path) => ({ kind: "write", path }));
  const sources = operands.slice(0, -1);
  const target = operands.at(-1) ?? "";
  return [
    { kind: "write", path: target },
    // The target may be a folder with a link of that name to somewhere else.
    ...sources.map((path): Access => ({ kind: "write", path: join(target, basename(path)) })),
    // A rule that closes a file under its old name may not close it under the new one; a folder takes its contents along.
    ...sources.map((path): Access => ({ kind: "read", path, below: "files" })),
    ...(edits === "move" ? sources.map((path): Access => ({ kind: "write", path })) : []),
  ];
}
