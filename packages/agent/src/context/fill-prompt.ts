import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { errorMessage } from "@agentwire/protocol/support";
import type { Environment } from "../config/from-environment.ts";
import { quoted } from "../sandbox/command-line.ts";
import type { Entered } from "../sandbox/entrance.ts";
import type { Inside } from "../sandbox/sandbox.ts";
import type { PromptShell } from "./context.ts";

const run = promisify(execFile);

const COMMAND = /!`([^`\n]+)`/;
const PLACE = /\$ARGUMENTS\[(\d{1,3})\]|\$(\d{1,3})(?!\d)/g;
const WHOLE = /\$ARGUMENTS(?!\[\d)/g;
const MAX_MS = 30_000;
const MAX_OUTPUT_BYTES = 262_144;

/** The folder and the environment in which the commands in a prompt run. */
export interface CommandLocation {
  readonly cwd: string;
  readonly env: Environment;
}

/** The commands that run when a prompt is expanded. */
export function commandsIn(body: string): readonly string[] {
  return body.split(COMMAND).filter((_, i) => i % 2 === 1);
}

/**
 * Fills in the output of the commands in a prompt, then the arguments. Only commands written in the file run: neither arguments
 * nor output become part of a command, or are themselves expanded.
 */
export async function fillPrompt(
  body: string,
  args: string,
  where: CommandLocation,
  shell: PromptShell,
  signal: AbortSignal,
): Promise<string> {
  const words = wordsOf(args);
  const parts = body.split(COMMAND);
  const filled: string[] = [];
  for (const [i, part] of parts.entries()) {
    const isCommand = i % 2 === 1;
    filled.push(
      isCommand
        ? await outputOf(part, { args, words, ...where }, shell, signal)
        : withArguments(part, args, words),
    );
  }
  const text = filled.join("");
  const isMentioned = parts.some((part) => withArguments(part, args, words) !== part);
  return isMentioned || args === "" ? text : `${text}\n\nARGUMENTS: ${args}`;
}

/** `$0` is the first argument; a placeholder without an argument stays unchanged. */
function withArguments(text: string, args: string, words: readonly string[]): string {
  const nth = (written: string, long?: string, short?: string) => words[Number(long ?? short)] ?? written;
  return text.replace(PLACE, nth).replace(WHOLE, () => args);
}

/** Splits arguments like a shell: quotes keep words together. */
function wordsOf(args: string): readonly string[] {
  const words = args.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => (/^["']/.test(word) ? word.slice(1, -1) : word));
}

/** The arguments of the prompt, which its commands read as variables. */
interface CommandArguments extends CommandLocation {
  readonly args: string;
  readonly words: readonly string[];
}

async function outputOf(
  command: string,
  { args, words, cwd, env }: CommandArguments,
  { refusal, inside }: PromptShell,
  signal: AbortSignal,
): Promise<string> {
  // A rule may match the command only with its arguments filled in.
  const refused =
    (await refusal(command, signal)) ?? (await refusal(withArguments(command, args, words), signal));
  if (refused !== undefined) return `(the command \`${command}\` was not run: ${refused})`;
  try {
    const script = command.replace(/\$ARGUMENTS\[(\d{1,3})\]/g, (_, index: string) => `\${${index}}`);
    const line = ["/bin/sh", "-c", script, ...words];
    const entered = await enter(inside(command), line);
    const [program = "", ...rest] = entered ? ["sh", "-c", entered.script] : line;
    const { stdout } = await run(program, rest, {
      cwd,
      env: { ...env, ARGUMENTS: args, ...entered?.env },
      timeout: MAX_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      signal,
    }).finally(() => entered?.leave());
    return stdout.trimEnd();
  } catch (error) {
    return `(the command \`${command}\` failed: ${errorMessage(error)})`;
  }
}

async function enter(inside: Inside | undefined, line: readonly string[]): Promise<Entered | undefined> {
  const command = line.map(quoted).join(" ");
  return inside?.sandbox.enter({ roots: inside.roots, shell: "bash", script: 'eval "exec $1"', command });
}
