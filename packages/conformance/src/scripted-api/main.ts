import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { InvalidScript, parseScript } from "@agentwire/models/script";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { readArgs, UsageError } from "../options.ts";
import { type ScriptedApi, startScriptedApi } from "./server.ts";

const HELP = `agentwire-scripted-api [options] <script> [-- <command>]

Answers the Messages API on the loopback interface from a script, for tests of agents. Prints its address and runs until it is
stopped. With a command, it runs the command with ANTHROPIC_BASE_URL and a dummy key instead, and exits with it.

  --port <n>      the port to listen on (any free port)
  --log <file>    writes every request to a file, as JSON, one per line
  -h, --help      prints this help

The script is JSON: {"steps":[…]}. A request that offers tools takes the next step:
  {"text":"hi"}
  {"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}],"chunkSize":8,"chunkDelay":20}
  {"type":"error","status":529,"error":{"type":"overloaded_error","message":"Overloaded"},"repeat":2}
  {"type":"reset"}
Any step may have "expect", the minimum that the request must contain, and "delayBefore". {{cwd}} stands for the current folder.
agentwire-agent --script plays the same scripts without a server.

Exit codes: that of the command; 1 something did not follow the script; 2 usage error.
`;

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  port: { type: "string", default: "0" },
  log: { type: "string" },
} as const;

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await serve(argv);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InvalidScript)) throw error;
    process.stderr.write(`agentwire-scripted-api: ${error.message}\n`);
    return EXIT_CODES.badUsage;
  }
}

async function serve(argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const { values, positionals, command } = readArgs(argv, cwd, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("give exactly one script");
  const script = parseScript(await textOf(file));
  const api = await startScriptedApi(script, { cwd }, portOf(values.port)).catch((cause: Error) => {
    throw new UsageError(`can't listen on port ${values.port}: ${cause.message}`, { cause });
  });
  const code = await (command.length > 0 ? run(command, api) : untilStopped(api));
  await api.close();
  if (values.log !== undefined) await writeFile(values.log, printRequests(api));
  const problems = api.problems();
  for (const problem of problems) process.stderr.write(`agentwire-scripted-api: ${problem}\n`);
  return code === EXIT_CODES.done && problems.length > 0 ? EXIT_CODES.turnFailed : code;
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: Error) => {
    throw new UsageError(`${file} can't be read: ${cause.message}`, { cause });
  });
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError(`--port must be a number below 65536, not ${text}`);
}

function printRequests({ requests }: ScriptedApi): string {
  return requests.all.map(({ kind, path, body }) => `${JSON.stringify({ kind, path, body })}\n`).join("");
}

async function untilStopped({ url }: ScriptedApi): Promise<number> {
  process.stdout.write(`${url}\n`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  return EXIT_CODES.done;
}

/** Runs a command and waits for its end; a terminal's interrupt reaches the command directly. */
async function run([program = "", ...words]: readonly string[], { url }: ScriptedApi): Promise<number> {
  const env = { ...process.env, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-dummy" };
  const child = spawn(program, words, { stdio: "inherit", env });
  process.on("SIGINT", () => {});
  process.once("SIGTERM", () => child.kill());
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new UsageError(`can't start ${program}: ${cause.message}`, { cause })),
    );
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
