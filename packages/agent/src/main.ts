import type { Config } from "./config/config.ts";
import { type FlagName, type Flags, meantFlag, overrideFlags, parseFlags } from "./config/flags.ts";
import { VERSION, WIRE_VERSION } from "./config/version.ts";
import type { SeenInput } from "./serve/first-line.ts";
import type { Surroundings } from "./serve/surroundings.ts";
import { UsageError } from "./usage-error.ts";

/** Runs the program and resolves to its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  return runProgram(argv, {
    configure: async (wanted) => (await import("./config/config.ts")).processConfig(wanted),
    // Node loads its streams on the first access.
    get input() {
      return process.stdin;
    },
    get output() {
      return process.stdout;
    },
    complain: (text) => void process.stderr.write(text),
  });
}

/** Runs the program in the given surroundings. Heavy modules are loaded only on the paths that need them. */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const flags = parseFlags(argv);
  const command = await commandIn(flags);
  if (command) {
    const { runCommand } = await import("./commands/run-command.ts");
    return await runCommand(command, argv, flags, surroundings);
  }
  if (flags.has("version")) {
    surroundings.output.write(`${WIRE_VERSION} (agentwire ${VERSION})\n`);
    return 0;
  }
  if (flags.has("help")) {
    const { HELP } = await import("./config/help.ts");
    surroundings.output.write(HELP);
    return 0;
  }
  const socket = flags.text("listen");
  if (socket !== undefined) {
    const { listen } = await import("./listen/listen.ts");
    return listen(socket, runAgent);
  }
  return runAgent(flags, surroundings);
}

/** Runs an agent in the given surroundings; resolves to its exit code. */
export async function runAgent(
  flags: Flags,
  { configure, input: given, output, complain, signals, onSession }: Surroundings,
): Promise<number> {
  for (const flag of flags.unknown) {
    const meant = meantFlag(flag);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    complain(`agentwire-agent: unknown flag ${flag} is ignored${hint}\n`);
  }
  try {
    const wanted = await configure(flags);
    const { input, isJsonRpc, isAcp } = await seenInput(wanted, flags, given);
    const effective = isAcp ? await configure(overrideFlags(flags, { acp: [""] })) : wanted;
    const config = isJsonRpc ? { ...effective, talks: true } : effective;
    for (const what of config.ignored) complain(`agentwire-agent: ignored: ${what}\n`);
    const rewindTo = flags.text("rewind-files");
    if (rewindTo !== undefined) {
      const { rewindFiles } = await import("./serve/rewind.ts");
      return await rewindFiles(config, rewindTo, complain);
    }
    if (config.database !== undefined) {
      const { runOnDatabase } = await import("./database/database-modes.ts");
      return await runOnDatabase(config, config.database, { input, output, complain });
    }
    if (config.flags.has("acp")) {
      const { serveAcp } = await import("./serve/acp.ts");
      return await serveAcp(config, input, output, complain);
    }
    if (config.talks) {
      const { serveStdio } = await import("./serve/stdio.ts");
      return await serveStdio(config, input, output, complain, { signals, onSession });
    }
    const { printAnswer } = await import("./serve/print.ts");
    return await printAnswer(config, input, output, complain);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`agentwire-agent: ${error.message}\n`);
    return 1;
  }
}

/** The input, and the protocol of its first line if no flag determines it. */
async function seenInput({ talks }: Config, flags: Flags, input: Surroundings["input"]): Promise<SeenInput> {
  const isDetermined = talks || input.isTTY || flags.words.length > 0 || ONE_SHOT.some(flags.has);
  if (isDetermined) return { input, isJsonRpc: false, isAcp: false };
  const { seeFirstLine } = await import("./serve/first-line.ts");
  return seeFirstLine(input);
}

/** Flags that make the process do one thing, regardless of what arrives on stdin. */
const ONE_SHOT: readonly FlagName[] = ["print", "repl", "inspect", "dump", "compact", "rewind-files"];

/** The command named by the first word. Prompts do not arrive this way: they need `-p`, or come on stdin from a host. */
async function commandIn(flags: Flags) {
  const [word] = flags.words;
  if (word === undefined || PROMPTING.some(flags.has)) return undefined;
  const { commandNamed } = await import("./commands/commands.ts");
  return commandNamed(word);
}

/** Flags that make the words of the command line a prompt, or leave them unused. */
const PROMPTING: readonly FlagName[] = [
  "print",
  "input-format",
  "stdio",
  "repl",
  "inspect",
  "dump",
  "compact",
  "db",
];
