import { literalValue, MARK } from "../../../shell/marks.ts";
import type { ShellWord } from "../../../shell/part.ts";

/** A command that runs the command in its arguments, and the options with which it does nothing else. */
interface Wrapper {
  /** Options that are a single word. */
  readonly option?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** The word before the inner command. */
  readonly operand?: RegExp;
  /** A first option with which it runs nothing. */
  readonly query?: RegExp;
  /** Whether `NAME=value` words may precede the inner command. */
  readonly assigns?: boolean;
  /** Whether the inner command gets arguments that are not in the text. */
  readonly appends?: boolean;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["time", { option: /^-p$/, assigns: true }],
  [
    "timeout",
    {
      option: /^(?:-v|--verbose|--foreground|--preserve-status)$/,
      valued: /^-[ks]$/,
      operand: /^[\d.]+[smhd]?$/,
    },
  ],
  ["nice", { option: /^-(?:n|-adjustment=)?-?\d+$/, valued: /^-n$/ }],
  ["nohup", {}],
  ["stdbuf", { option: /^(?:-[ioe]|--(?:input|output|error)=)\w+$/, valued: /^-[ioe]$/ }],
  ["command", { query: /^-[vV]$/ }],
  ["builtin", {}],
  ["exec", {}],
  ["env", { assigns: true }],
  ["xargs", { option: /^(?:-[0r]|-[nPL]\d+|--null|--no-run-if-empty)$/, valued: /^-[nPL]$/, appends: true }],
]);

const OPTION_VALUE = /^[\w.+-]+$/;
const UNSEEN: ShellWord = { source: "", text: MARK.open + MARK.close };

/** The maximum number of nested wrappers that are unwrapped. */
export const MAX_LAYERS = 8;

/** The command that a wrapper runs; "anything" if its options are not known. */
export type Inner =
  | "no wrapper"
  | "nothing"
  | "anything"
  | {
      /** The index of its first word among the wrapper's. */
      readonly at: number;
      readonly words: readonly ShellWord[];
      readonly assignments: readonly ShellWord[];
    };

/** Finds the command that a wrapper runs. */
export function innerCommand(name: string, words: readonly ShellWord[]): Inner {
  const wrapper = WRAPPERS.get(name);
  if (!wrapper) return "no wrapper";
  const values = words.map(({ text }) => literalValue(text));
  if (words.length === 1 || wrapper.query?.test(values[1] ?? "")) return "nothing";
  const start = skipOptions(wrapper, values);
  if (start === undefined) return "anything";
  let at = start;
  while (wrapper.assigns && words[at]?.text.includes("=")) at += 1;
  if (at >= words.length) return "nothing";
  const rest = words.slice(at);
  return { at, words: wrapper.appends ? [...rest, UNSEEN] : rest, assignments: words.slice(start, at) };
}

function skipOptions(wrapper: Wrapper, values: readonly (string | undefined)[]): number | undefined {
  let at = 1;
  const next = (pattern: RegExp | undefined) => pattern?.test(values[at] ?? "\n") === true;
  for (;;) {
    if (next(wrapper.valued)) {
      at += 1;
      if (!next(OPTION_VALUE)) return undefined;
    } else if (!next(wrapper.option)) break;
    at += 1;
  }
  // A word that only the shell knows may be an option, or may vanish.
  if (at < values.length && values[at]?.startsWith("-") !== false) return undefined;
  if (!wrapper.operand) return at;
  return next(wrapper.operand) ? at + 1 : undefined;
}
