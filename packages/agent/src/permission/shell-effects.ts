import { basename, join, resolve } from "node:path";
import { literalValue, readShell, type ShellPart } from "@agentwire/protocol";
import type { Access } from "./access.ts";
import { EDITORS, type EditingProgram, type EditKind, type KnownProgram, READERS } from "./shell-programs.ts";

/** What one part of a shell command does, as far as that is known. */
export interface PartEffect {
  readonly source: string;
  /** `read` and `edit` do nothing beside their accesses; of `other` nobody knows. */
  readonly does: "read" | "edit" | "other";
  readonly accesses: readonly Access[];
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
  const effects = reading.parts.map(effectOf);
  const isAlone = effects.filter(({ accesses }) => accesses.length > 0).length <= 1;
  return reading.parts.some((part) => movesShell(part, cwd) || (!isAlone && movesFiles(part)))
    ? effects.map((effect) => ({ ...effect, does: "other" }))
    : effects;
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
  return { source, does: accesses.some(({ kind }) => kind === "write") ? "edit" : "read", accesses };
}

function accessOf(kind: Access["kind"], path: string | undefined): Access | undefined {
  return path === undefined ? undefined : { kind, path };
}

function ofWords(words: readonly string[]): Effect | undefined {
  const [program = "", ...args] = words;
  if (words.length === 0) return READS_NOTHING;
  if (program === "cd") return READS_NOTHING;
  const reader = READERS.get(program);
  if (reader) return ofReader(reader, args);
  const editor = EDITORS.get(program);
  return editor ? ofEditor(editor, args) : undefined;
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
