/** How a flag takes its value. */
type Kind = "text" | "switch" | "list" | "optional";

/** Every flag this agent understands. `list` flags may be repeated; `optional` ones may stand alone. */
const FLAGS = {
  version: "switch",
  help: "switch",
  print: "optional",
  verbose: "switch",
  debug: "optional",
  "debug-file": "text",
  "input-format": "text",
  "output-format": "text",
  "include-partial-messages": "switch",
  "include-hook-events": "switch",
  "replay-user-messages": "switch",
  "forward-subagent-text": "switch",
  "prompt-suggestions": "switch",
  "enable-auth-status": "switch",
  tolerant: "switch",
  dialect: "text",
  stdio: "switch",
  db: "text",
  repl: "switch",
  inspect: "switch",
  dump: "switch",
  compact: "switch",
  "consolidate-after": "text",
  cwd: "text",
  model: "text",
  "fallback-model": "text",
  script: "text",
  agent: "text",
  agents: "text",
  betas: "list",
  effort: "text",
  thinking: "text",
  "max-thinking-tokens": "text",
  "thinking-display": "text",
  "max-turns": "text",
  "max-budget-usd": "text",
  "task-budget": "text",
  "json-schema": "text",
  "system-prompt": "text",
  "system-prompt-file": "text",
  "append-system-prompt": "text",
  "append-system-prompt-file": "text",
  "append-subagent-system-prompt": "text",
  "exclude-dynamic-system-prompt-sections": "switch",
  "system-prompt-snapshot": "optional",
  "plan-mode-instructions": "text",
  tools: "text",
  allowedTools: "list",
  disallowedTools: "list",
  "permission-mode": "text",
  "allow-dangerously-skip-permissions": "switch",
  "dangerously-skip-permissions": "switch",
  "permission-prompt-tool": "text",
  "permission-prompts": "text",
  continue: "switch",
  resume: "text",
  "fork-session": "switch",
  "resume-session-at": "text",
  "resume-drops-turn": "text",
  "session-id": "text",
  "no-session-persistence": "switch",
  "session-mirror": "switch",
  name: "text",
  trust: "switch",
  worktree: "optional",
  "setting-sources": "text",
  settings: "text",
  "managed-settings": "text",
  "managed-settings-in-initialize": "switch",
  "add-dir": "list",
  "project-config-root": "text",
  "mcp-config": "list",
  "strict-mcp-config": "switch",
  "plugin-dir": "list",
  "plugin-dir-no-mcp": "list",
  "await-initialize": "switch",
  "await-claim": "switch",
  bare: "switch",
  "rewind-files": "text",
  init: "switch",
  maintenance: "switch",
} as const satisfies Readonly<Record<string, Kind>>;

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

/** A command line, read. */
export interface Flags {
  /** Flags without a value have `true`; the last one of a kind counts. */
  readonly has: (name: FlagName) => boolean;
  readonly text: (name: FlagName) => string | undefined;
  readonly list: (name: FlagName) => readonly string[];
  /** What is left when the flags are taken away: the prompt. */
  readonly words: readonly string[];
  /** Where in the command line the first of them stands. */
  readonly firstWordAt: number | undefined;
  /** Unknown flags. */
  readonly unknown: readonly string[];
  /** Flags that stand at the end and lack their value. */
  readonly incomplete: readonly string[];
}

/** Reads a command line in both spellings, `--flag value` and `--flag=value`, with empty and repeated values. */
export function parseFlags(argv: readonly string[]): Flags {
  const values = new Map<FlagName, (string | true)[]>();
  const words: string[] = [];
  let firstWordAt: number | undefined;
  const unknown: string[] = [];
  const incomplete: string[] = [];
  // With stream-json the prompt comes on stdin, so a bare word after a flag we do not know can only be its value.
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
    const kind: Kind = FLAGS[name];
    if (inline === undefined && next === undefined && (kind === "text" || kind === "list"))
      incomplete.push(spelled);
    if (inline !== undefined) taken.push(inline);
    else if (kind === "switch" || next === undefined) taken.push(true);
    else if (kind === "optional" && (next.startsWith("-") || name === "print")) taken.push(true);
    else {
      taken.push(next);
      i++;
      // `--add-dir a b`: a list goes on until the next flag.
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
  return {
    has: (name) => values.has(name) && last(name) !== "false",
    text: (name) => textOf(last(name)),
    list: (name) =>
      (values.get(name) ?? []).filter((value): value is string => value !== true && value !== ""),
    words,
    firstWordAt,
    unknown,
    incomplete,
  };
}

/** A command line with other values for some flags. */
export function overrideFlags(flags: Flags, overrides: Partial<Record<FlagName, readonly string[]>>): Flags {
  return {
    ...flags,
    has: (name) => (overrides[name] ? overrides[name].length > 0 : flags.has(name)),
    text: (name) => (overrides[name] ? overrides[name].at(-1) : flags.text(name)),
    list: (name) => overrides[name] ?? flags.list(name),
  };
}

const textOf = (value: string | true | undefined) => (value === true ? undefined : value);

/** The last word of a printing command line is its prompt, not one more item of a list. */
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
