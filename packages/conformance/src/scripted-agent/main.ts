import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { BadLine, type Line } from "@agentwire/protocol";
import { EXIT_CODES, errorMessage } from "@agentwire/protocol/support";
import { printTranscript, type TranscriptLine } from "../transcript.ts";
import { parseFault, withFault } from "./fault.ts";
import { playScript } from "./player.ts";
import { parseScript, ScriptError } from "./step.ts";

/**
 * Appends every line to a file at once, in the format of recordings, so that even a killed agent leaves all lines it received.
 */
function lineLog(file: string): (dir: "in" | "out", text: Line | undefined) => void {
  const startedAt = performance.now();
  return (dir, text) => {
    const t = Math.round((performance.now() - startedAt) * 10) / 10;
    appendFileSync(file, printTranscript([{ t, dir, ...entryOf(text) }]));
  };
}

function entryOf(text: Line | undefined): Pick<TranscriptLine, "line" | "raw" | "eof"> {
  if (text === undefined) return { eof: true, line: null };
  if (text instanceof BadLine) return { raw: true, line: text.head };
  try {
    return { line: JSON.parse(text) };
  } catch {
    return { raw: true, line: text };
  }
}

const HELP = `agentwire-scripted-agent: plays an agent from a script, for tests of programs that drive agents

Let a host start it instead of an agent, and name the script in the environment. Arguments from the host are ignored.

  AGENTWIRE_SCRIPT=<file>    a recording, or steps written by hand: one JSON object per line
  AGENTWIRE_FAULT=<fault>    a fault at a line of the agent, here the third: crash@3, exit@3, freeze@3, noise@3, half@3, swap@3,
                             drop@3, twice@3; separate several with commas
  AGENTWIRE_LOG=<file>       a file to log every line to, in the format of recordings
  --version                  prints the version that hosts look for
  --help                     prints this help

Steps: {"hear":{"type":"user"},"learn":{"id":["uuid"]}}  {"hear":"end"}  {"say":{…}}  {"write":"noise\\n"}  {"pause":50}  {"freeze":true}  {"exit":1}  {"kill":"SIGKILL"}

Example:
  printf '%s\\n' '{"hear":{"type":"user"}}' '{"say":{"type":"result","subtype":"success","is_error":false,"result":"hi"}}' > hi.jsonl
  echo '{"type":"user","message":{"role":"user","content":"hello"}}' | AGENTWIRE_SCRIPT=hi.jsonl agentwire-scripted-agent
`;

/** The version of the wire that this package's recordings have. */
const VERSION = "2.1.325 (Claude Code)";

/** Runs the program; resolves to its exit code, unless the script makes it die. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv.includes("--help")) return print(HELP);
  if (argv.includes("--version") || argv.includes("-v")) return print(`${VERSION}\n`);
  try {
    const steps = await scriptOf(env);
    const log = env.AGENTWIRE_LOG;
    const ending = await playScript(steps, {
      input: process.stdin,
      output: process.stdout,
      ...(log && { onLine: lineLog(log) }),
    });
    if ("exit" in ending) return ending.exit;
    process.kill(process.pid, ending.kill);
    return EXIT_CODES.internalError;
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    process.stderr.write(`agentwire-scripted-agent: ${error.message}\n`);
    return EXIT_CODES.badUsage;
  }
}

async function scriptOf(env: NodeJS.ProcessEnv) {
  const file = env.AGENTWIRE_SCRIPT;
  if (!file) throw new ScriptError("set AGENTWIRE_SCRIPT to the file to play");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ScriptError(`${file} can't be read: ${errorMessage(cause)}`, {
      cause,
    });
  });
  const faults = (env.AGENTWIRE_FAULT ?? "").split(",").filter(Boolean).map(parseFault);
  return faults.reduce(withFault, parseScript(text));
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT_CODES.done;
}
