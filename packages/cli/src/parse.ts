import { parseArgs } from "node:util";
import { closest } from "@agentwire/protocol/support";
import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";
import { UsageError } from "./errors.ts";
import { REMOTE_OPTIONS } from "./location-options.ts";

/** A parsed command line: the path of commands from the program down, with arguments and option values. */
export interface Parsed {
  readonly path: readonly Command[];
  readonly args: readonly string[];
  readonly values: ReadonlyMap<string, string | true>;
}

/** Reads a command line; throws `UsageError`. */
export function parseLine(program: Command, argv: readonly string[]): Parsed {
  const { path, rest, before } = find(program, argv);
  const command = path.at(-1) ?? program;
  if (command.passesOn) return { path, args: rest, values: readOptions(path, before).values };
  const { values, args } = readOptions(path, [...before, ...rest]);
  if (!values.has("help")) checkCount(path, args);
  return { path, args, values };
}

/** Options may come before the name of a subcommand, as in `agentwire --json sessions list`. */
function find(program: Command, argv: readonly string[]) {
  const path = [program];
  const before: string[] = [];
  let rest = argv;
  for (;;) {
    const { subcommands = [], count: [, max] = [0, 0] } = path.at(-1) ?? program;
    const [word] = rest;
    if (word === undefined || subcommands.length === 0 || word === "--") return { path, rest, before };
    if (word.startsWith("-")) {
      const known = knownBefore(path);
      const option = optionNamed(known, word);
      if (!option && !isGroup(known, word)) throw unknownOption(path, word.split("=", 1)[0] ?? word, known);
      const length = wordsOf(option, word);
      before.push(...rest.slice(0, length));
      rest = rest.slice(length);
      continue;
    }
    const named = subcommands.find(({ name }) => name === word);
    if (!named && max === 0) throw unknownCommand(path, word, subcommands);
    if (!named) return { path, rest, before };
    path.push(named);
    rest = rest.slice(1);
  }
}

/** The options that a command line begins with, without their values. */
export function leadingOptions(program: Command, argv: readonly string[]): readonly string[] {
  const known = knownBefore([program]);
  const options: string[] = [];
  for (let at = 0; at < argv.length; ) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "--") break;
    options.push(word);
    at += wordsOf(optionNamed(known, word), word);
  }
  return options;
}

/** Options that may come before a subcommand: those of the commands so far, and of every subcommand that may follow. */
function knownBefore(path: readonly Command[]): readonly Option[] {
  const below = ({ subcommands = [] }: Command): readonly Option[] =>
    subcommands.flatMap((command) => [...(command.options ?? []), ...below(command)]);
  const last = path.at(-1);
  return [...optionsOf(path), ...(last ? below(last) : [])];
}

/** Whether a word combines several short options. */
const isGroup = (options: readonly Option[], word: string) =>
  /^-\w{2,}$/.test(word) && optionNamed(options, word.slice(0, 2)) !== undefined;

const wordsOf = (option: Option | undefined, word: string) =>
  option?.value !== undefined && !option.optional && !word.includes("=") ? 2 : 1;

/** The options that apply to a command. */
export const optionsOf = (path: readonly Command[]): readonly Option[] => [
  ...(path.at(-1)?.options ?? []),
  ...COMMON_OPTIONS,
  ...REMOTE_OPTIONS,
];

function readOptions(path: readonly Command[], args: readonly string[]) {
  const options = optionsOf(path);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      options.map(({ name, short, value, optional }) => [
        name,
        {
          type: value === undefined || optional ? "boolean" : "string",
          ...(short !== undefined && { short }),
        } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string | true>();
  const words: string[] = [];
  let open: Option | undefined;
  for (const token of tokens) {
    const before = open;
    open = undefined;
    if (token.kind === "positional") {
      if (before?.optional?.test(token.value)) values.set(before.name, token.value);
      else words.push(token.value);
    }
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => name === token.name);
    if (!option) throw unknownOption(path, token.rawName, options);
    if (option.optional && token.value === undefined) {
      open = option;
      values.set(option.name, true);
      continue;
    }
    const isNextOption = token.inlineValue === false && /^-./.test(token.value);
    values.set(option.name, checkedValue(path, option, isNextOption ? undefined : token.value));
  }
  return { values, args: words };
}

function checkedValue(path: readonly Command[], option: Option, given: string | undefined): string | true {
  const { name, value, choices } = option;
  if (value === undefined) {
    if (given !== undefined) throw usage(path, `--${name} takes no value`);
    return true;
  }
  if (given === undefined || given === "") throw usage(path, `--${name} needs a value: --${name} ${value}`);
  if (choices && !choices.includes(given))
    throw usage(path, `--${name} is one of ${choices.join(", ")}, not ${given}${didYouMean(given, choices)}`);
  return given;
}

function checkCount(path: readonly Command[], args: readonly string[]): void {
  const { run, args: form = "", count = [0, 0], subcommands = [] } = path.at(-1) ?? { name: "", summary: "" };
  if (!run) {
    const names = subcommands.map(({ name }) => name).join(", ");
    throw usage(path, `${commandName(path)} needs a subcommand: ${names}`);
  }
  const [min, max] = count;
  if (args.length < min) throw usage(path, `missing argument: ${commandName(path)} ${form}`);
  if (args.length > max) throw usage(path, `unexpected argument ${JSON.stringify(args[max])}`);
}

function unknownCommand(path: readonly Command[], word: string, known: readonly Command[]): UsageError {
  const names = known.map(({ name }) => name);
  if (path.length === 1 && /\s/.test(word))
    return new UsageError(
      `unknown command ${JSON.stringify(word)}`,
      'to send a prompt: agentwire run "list the files here"',
    );
  return usage(path, `unknown command ${JSON.stringify(word)}${didYouMean(word, names)}`);
}

function unknownOption(path: readonly Command[], raw: string, options: readonly Option[]): UsageError {
  const names = options.map(({ name }) => `--${name}`);
  return usage(path, `unknown option ${raw}${didYouMean(raw, names)}`);
}

function optionNamed(options: readonly Option[], word: string): Option | undefined {
  const [name = ""] = word.split("=");
  return options.find((option) => `--${option.name}` === name || `-${option.short}` === name);
}

const didYouMean = (word: string, known: readonly string[]) => {
  const meant = closest(word, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
};

/** The full name of a command. */
export const commandName = (path: readonly Command[]): string => path.map(({ name }) => name).join(" ");

const usage = (path: readonly Command[], text: string) =>
  new UsageError(text, `${commandName(path)} --help shows more`);
