import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import { choice, type Infer, numberIn, readText, type Schema, string } from "@agentwire/protocol/schema";
import { closest } from "@agentwire/protocol/support";
import { UsageError } from "../usage-error.ts";

/** How a flag accepts its value, and the schema of the value. */
interface Flag<T = unknown> {
  readonly kind: "text" | "switch" | "list" | "optional";
  readonly schema: Schema<T>;
}

const one = <T>(schema: Schema<T>): Flag<T> => ({ kind: "text", schema });
const text = one(string);
const on = { kind: "switch", schema: string } as const;
const list = { kind: "list", schema: string } as const;
const optional = { kind: "optional", schema: string } as const;

/** The effort levels of a model. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** Every flag this agent understands. `list` flags may be repeated; the value of `optional` flags may be missing. */
const FLAGS = {
  version: on,
  help: on,
  print: optional,
  verbose: on,
  debug: optional,
  "debug-file": text,
  "input-format": one(choice("text", "stream-json")),
  "output-format": text,
  "include-partial-messages": on,
  "include-hook-events": on,
  "replay-user-messages": on,
  "forward-subagent-text": on,
  "prompt-suggestions": on,
  "enable-auth-status": on,
  tolerant: on,
  dialect: text,
  stdio: on,
  acp: on,
  listen: text,
  db: text,
  repl: on,
  inspect: on,
  dump: on,
  compact: on,
  "consolidate-after": one(numberIn({ least: 0 })),
  cwd: text,
  model: text,
  "fallback-model": text,
  script: text,
  agent: text,
  agents: text,
  betas: list,
  effort: one(choice(...EFFORTS)),
  thinking: one(choice("adaptive", "enabled", "disabled")),
  "max-thinking-tokens": one(numberIn({ least: 0 })),
  "thinking-display": one(choice("summarized", "omitted", "highlights")),
  "max-turns": one(numberIn({})),
  "max-budget-usd": one(numberIn({ above: 0 })),
  "task-budget": one(numberIn({ least: 1 })),
  "json-schema": text,
  "system-prompt": text,
  "system-prompt-file": text,
  "append-system-prompt": text,
  "append-system-prompt-file": text,
  "append-subagent-system-prompt": text,
  "exclude-dynamic-system-prompt-sections": on,
  "system-prompt-snapshot": optional,
  "plan-mode-instructions": text,
  tools: text,
  allowedTools: list,
  disallowedTools: list,
  "permission-mode": one(choice(...PERMISSION_MODES, "manual")),
  "allow-dangerously-skip-permissions": on,
  "dangerously-skip-permissions": on,
  "permission-prompt-tool": text,
  "permission-prompts": one(choice("host", "none")),
  continue: on,
  resume: text,
  "fork-session": on,
  "resume-session-at": text,
  "resume-drops-turn": text,
  "session-id": text,
  "no-session-persistence": on,
  "session-mirror": on,
  name: text,
  trust: on,
  worktree: optional,
  "setting-sources": text,
  settings: text,
  "managed-settings": text,
  "managed-settings-in-initialize": on,
  "add-dir": list,
  "project-config-root": text,
  "mcp-config": list,
  "strict-mcp-config": on,
  "plugin-dir": list,
  "plugin-dir-no-mcp": list,
  "await-initialize": on,
  "await-claim": on,
  bare: on,
  "rewind-files": text,
  init: on,
  maintenance: on,
} as const satisfies Readonly<Record<string, Flag>>;

/** The name of a flag, without its dashes. */
export type FlagName = keyof typeof FLAGS;

const SHORT: ReadonlyMap<string, FlagName> = new Map([
  ["-v", "version"],
  ["-h", "help"],
  ["-p", "print"],
  ["-c", "continue"],
  ["-r", "resume"],
  ["-d", "debug"],
  ["-n", "name"],
  ["-w", "worktree"],
]);

const ALIASES: ReadonlyMap<string, FlagName> = new Map([
  ["allowed-tools", "allowedTools"],
  ["disallowed-tools", "disallowedTools"],
  ["prompt", "print"],
  ["format", "output-format"],
]);

/** A parsed command line. */
export interface Flags {
  /** Whether a flag is given and its last value is not `false`. */
  readonly has: (name: FlagName) => boolean;
  readonly text: (name: FlagName) => string | undefined;
  readonly list: (name: FlagName) => readonly string[];
  /** The value of a flag, read by its schema; undefined if not given. Throws a `UsageError` that states what is expected. */
  readonly value: <N extends FlagName>(name: N) => Infer<(typeof FLAGS)[N]["schema"]> | undefined;
  /** The words that are not part of flags: the prompt. */
  readonly words: readonly string[];
  /** The index of the first of them in the command line. */
  readonly firstWordAt: number | undefined;
  /** Unknown flags. */
  readonly unknown: readonly string[];
  /** Flags at the end of the command line that lack their value. */
  readonly incomplete: readonly string[];
}

/** Parses a command line; accepts `--flag value` and `--flag=value`, empty values and repeated flags. */
export function parseFlags(argv: readonly string[]): Flags {
  const values = new Map<FlagName, (string | true)[]>();
  const words: string[] = [];
  let firstWordAt: number | undefined;
  const unknown: string[] = [];
  const incomplete: string[] = [];
  // With stream-json the prompt arrives on stdin, so a bare word after an unknown flag can only be its value.
  const promptsOnStdin = argv.some(
    (word, i) =>
      /^--input-format(=stream-json)?$/.test(word) && `${word} ${argv[i + 1]}`.includes("stream-json"),
  );
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === "--") {
      if (i + 1 < argv.length) firstWordAt ??= i + 1;
      words.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      firstWordAt ??= i;
      continue;
    }
    const [spelled = "", inline] = splitAtEquals(word);
    const next = argv[i + 1];
    const name = nameOf(spelled);
    if (!name) {
      unknown.push(spelled);
      if (inline === undefined && promptsOnStdin && next !== undefined && !next.startsWith("-")) i++;
      continue;
    }
    const taken = values.get(name) ?? [];
    values.set(name, taken);
    const { kind }: Flag = FLAGS[name];
    if (inline === undefined && next === undefined && (kind === "text" || kind === "list"))
      incomplete.push(spelled);
    if (inline !== undefined) taken.push(inline);
    else if (kind === "switch" || next === undefined) taken.push(true);
    else if (kind === "optional" && (next.startsWith("-") || name === "print")) taken.push(true);
    else {
      taken.push(next);
      i++;
      // `--add-dir a b`: a list continues until the next flag.
      while (
        kind === "list" &&
        argv[i + 1] !== undefined &&
        !argv[i + 1]?.startsWith("-") &&
        !promptsFollow(argv, i)
      )
        taken.push(argv[++i] as string);
    }
  }
  const last = (name: FlagName) => values.get(name)?.at(-1);
  const textFor = (name: FlagName) => textOf(last(name));
  return {
    has: (name) => values.has(name) && last(name) !== "false",
    text: textFor,
    value: valuesFrom(textFor),
    list: (name) =>
      (values.get(name) ?? []).filter((value): value is string => value !== true && value !== ""),
    words,
    firstWordAt,
    unknown,
    incomplete,
  };
}

/** A command line with different values for some flags. */
export function overrideFlags(flags: Flags, overrides: Partial<Record<FlagName, readonly string[]>>): Flags {
  const textFor = (name: FlagName) => (overrides[name] ? overrides[name].at(-1) : flags.text(name));
  return {
    ...flags,
    has: (name) => (overrides[name] ? overrides[name].length > 0 : flags.has(name)),
    text: textFor,
    value: valuesFrom(textFor),
    list: (name) => overrides[name] ?? flags.list(name),
  };
}

/** Reads values with the schemas of their flags. */
function valuesFrom(textFor: Flags["text"]): Flags["value"] {
  return (name) => {
    const text = textFor(name);
    if (text === undefined || text === "") return undefined;
    const { schema }: Flag = FLAGS[name];
    const value = readText(schema, text);
    if (value === undefined) throw new UsageError(`--${name} ${text}: expected ${schema.doc().type}`);
    return value as Infer<(typeof FLAGS)[typeof name]["schema"]>;
  };
}

/** The known flag that an unknown one most resembles, with its dashes. */
export function meantFlag(unknown: string): string | undefined {
  const name = closest(unknown.replace(/^-+/, ""), Object.keys(FLAGS));
  return name === undefined ? undefined : `--${name}`;
}

const textOf = (value: string | true | undefined) => (value === true ? undefined : value);

/** With `-p`, the last word is the prompt, not another item of a list. */
const promptsFollow = (argv: readonly string[], i: number) =>
  i + 2 === argv.length && (argv.includes("-p") || argv.includes("--print"));

function splitAtEquals(word: string): [string, string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function nameOf(spelled: string): FlagName | undefined {
  const short = SHORT.get(spelled);
  if (short) return short;
  const long = spelled.replace(/^--/, "");
  if (spelled.startsWith("--") && Object.hasOwn(FLAGS, long)) return long as FlagName;
  return ALIASES.get(long);
}
