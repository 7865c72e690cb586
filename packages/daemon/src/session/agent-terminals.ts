import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { SessionOptions } from "@agentwire/host";
import { type AgentProcess, startProcess } from "@agentwire/host/agent";
import type { Log } from "@agentwire/protocol/support";
import type { CallJudge } from "./call-judge.ts";

type Handlers = NonNullable<SessionOptions["handlers"]>;
type Environment = Readonly<Record<string, string | undefined>>;

/** How many commands of one agent are tracked at once. */
const MAX_TERMINALS = 32;
/** How much of a command's output is kept, whatever the agent requests. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** A command that is running for an agent, or has run. */
interface Terminal {
  readonly process: AgentProcess;
  readonly output: Tail;
  readonly exit: Promise<{ exit_code: number | null; signal: string | null }>;
  ended?: { exit_code: number | null; signal: string | null };
}

/** Runs commands for an agent that leaves this to its host; they end with the agent. */
export class AgentTerminals {
  readonly #judge: CallJudge;
  readonly #log: Log;
  readonly #cwd: string;
  readonly #env: Environment;
  readonly #terminals = new Map<string, Terminal>();

  constructor(judge: CallJudge, cwd: string, env: Environment, log: Log) {
    this.#log = log;
    this.#judge = judge;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** The handlers of an agent's requests. */
  get handlers(): Pick<
    Handlers,
    "create_terminal" | "terminal_output" | "wait_for_terminal_exit" | "kill_terminal" | "release_terminal"
  > {
    return {
      create_terminal: async (request, context) => {
        await this.#judge.command(
          [request.command, ...request.args].map(quoted(request.args)).join(" "),
          context,
        );
        return { terminal_id: this.#start(request) };
      },
      terminal_output: ({ terminal_id }) => {
        const { output, ended } = this.#find(terminal_id);
        return { output: output.text, truncated: output.isCut, ...(ended && { exit_status: ended }) };
      },
      wait_for_terminal_exit: ({ terminal_id }) => this.#find(terminal_id).exit,
      kill_terminal: ({ terminal_id }) => {
        this.#find(terminal_id).process.kill();
        return {};
      },
      release_terminal: ({ terminal_id }) => {
        this.#find(terminal_id).process.kill();
        this.#terminals.delete(terminal_id);
        return {};
      },
    };
  }

  /** Ends all commands. */
  close(): void {
    for (const { process } of this.#terminals.values()) process.kill();
    this.#terminals.clear();
  }

  #start({
    command,
    args,
    env,
    cwd,
    output_byte_limit,
  }: Parameters<NonNullable<Handlers["create_terminal"]>>[0]): string {
    if (this.#terminals.size >= MAX_TERMINALS)
      throw new Error(`${MAX_TERMINALS} terminals are open: release those that are no longer needed`);
    const output = new Tail(Math.min(output_byte_limit ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES));
    // Agents that do not use arguments pass a shell command line.
    const [program, programArgs] = args.length > 0 ? [command, args] : ["/bin/sh", ["-c", command]];
    const process = startProcess({
      command: program,
      args: programArgs,
      cwd: resolve(this.#cwd, cwd ?? ""),
      env: { ...this.#env, ...env },
      onStderr: (text) => output.add(text),
    });
    process.stdin.on("error", () => {});
    process.stdin.end();
    process.stdout.on("error", () => {});
    process.stdout.on("data", (bytes: Buffer) => output.add(bytes.toString("utf8")));
    process.stdout.resume();
    const id = randomUUID();
    const terminal: Terminal = {
      process,
      output,
      exit: process.exited.then(({ code, signal, failure }) => {
        if (failure) output.add(`${failure.message}\n`);
        terminal.ended = { exit_code: failure ? 127 : code, signal };
        return terminal.ended;
      }),
    };
    this.#terminals.set(id, terminal);
    this.#log.info("runs a command for an agent", { terminal: id, pid: process.pid ?? 0 });
    return id;
  }

  #find(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (!terminal) throw new Error(`there is no terminal ${id}`);
    return terminal;
  }
}

/** Leaves a shell command line unchanged; quotes the words of any other command for a shell. */
const quoted = (args: readonly string[]) => (word: string) =>
  args.length === 0 || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The end of a text, up to a number of bytes. */
class Tail {
  readonly #maxBytes: number;
  #text = "";
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get text(): string {
    this.#cut();
    return this.#text;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  add(text: string): void {
    this.#text += text;
    // Not after each chunk, since cutting has to scan the whole text.
    if (this.#text.length > 2 * this.#maxBytes) this.#cut();
  }

  #cut(): void {
    const bytes = Buffer.from(this.#text);
    if (bytes.length <= this.#maxBytes) return;
    this.#isCut = true;
    let from = bytes.length - this.#maxBytes;
    // Do not cut in the middle of a character.
    while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
    this.#text = bytes.subarray(from).toString("utf8");
  }
}
