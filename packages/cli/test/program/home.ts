import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { debianProgram } from "../../../../test/debian.ts";
import { runMark } from "../../../../test/run-mark.ts";
import type { Io } from "../../src/io.ts";

/** The program as it is installed. */
export const PROGRAM = fileURLToPath(new URL("../../bin/agentwire", import.meta.url));
const AT_TERMINAL = fileURLToPath(new URL("../at-terminal.py", import.meta.url));
const SEE_MS = 30_000;

/** Named by its path, because what is on PATH may be a script that takes longer to find Python than our program takes to start. */
export const python = () => debianProgram("python3", ["/usr/bin/python3"]);

let installed: ((argv: readonly string[], io: Io) => Promise<number>) | undefined;

/** Calls what the installed program loads: its bundle, with the same loader. */
function callInstalled(argv: readonly string[], io: Io): Promise<number> {
  if (!installed) {
    const require = createRequire(PROGRAM);
    const { exports } = require("../dist/load.cjs").loadProgram(require.resolve("../dist/main.cjs"), argv);
    installed = exports.main as NonNullable<typeof installed>;
  }
  return installed(argv, io);
}

/** How a call of the program ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home directory for the program, with a project in it; everything started in it ends with it. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), "agentwire-cli-"));
  readonly project = join(this.folder, "project");
  readonly state = join(this.folder, "state");
  readonly #children = new Set<ChildProcess>();

  constructor() {
    mkdirSync(this.project);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...runMark(),
      PATH: process.env.PATH,
      HOME: this.folder,
      AGENTWIRE_HOME: this.state,
      TERM: "xterm",
      NO_COLOR: "1",
    };
  }

  /**
   * Calls the program and waits for it to end. It runs in this process, which takes a tenth of the CPU time of a separate process;
   * daemons and agents that it starts are processes.
   */
  async run(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const io = {
      // Like a pipe, it ends only when it is read.
      stdin: new Readable({
        read() {
          this.push(input);
          this.push(null);
        },
      }),
      stdout,
      stderr,
      env: { ...this.env, ...env },
      cwd: this.project,
      program: PROGRAM,
    } as unknown as Io;
    const printed = Promise.all([text(stdout), text(stderr)]);
    const code = await callInstalled(args, io);
    stdout.end();
    stderr.end();
    const [said, aside] = await printed;
    return { code, stdout: said, stderr: aside };
  }

  /** The same in a separate process, for tests of signals or of the real streams. */
  async runAlone(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return this.#outcome(this.start(args, env), input);
  }

  async #outcome(child: ChildProcess, input = ""): Promise<Outcome> {
    child.stdin?.end(input);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      once(child, "close"),
    ]);
    return { code: code as number, stdout, stderr };
  }

  /** Calls the program without waiting. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return this.#track(
      spawn(process.execPath, [PROGRAM, ...args], { cwd: this.project, env: { ...this.env, ...env } }),
    );
  }

  /** Calls it through a shell, which receives it as `"$@"`. */
  async shell(script: string, args: readonly string[]): Promise<Outcome> {
    const command = ["-c", script, "sh", process.execPath, PROGRAM, ...args];
    return this.#outcome(this.#track(spawn("sh", command, { cwd: this.project, env: this.env })));
  }

  /** Calls the program interactively, at a terminal. */
  sit(args: readonly string[], env: NodeJS.ProcessEnv = {}): Sitting {
    const command = ["-IS", AT_TERMINAL, process.execPath, PROGRAM, ...args];
    const options = { cwd: this.project, env: { ...this.env, ...env } };
    return new Sitting(this.#track(spawn(python(), command, options)));
  }

  /** Calls a shell interactively, at a terminal; the shell receives the program as `"$@"`. */
  sitWithShell(script: string, args: readonly string[]): Sitting {
    const command = ["-IS", AT_TERMINAL, "sh", "-c", script, "sh", process.execPath, PROGRAM, ...args];
    return new Sitting(this.#track(spawn(python(), command, { cwd: this.project, env: this.env })));
  }

  /** The daemon's process id. */
  get daemonPid(): number {
    return (JSON.parse(readFileSync(join(this.state, "daemon.json"), "utf8")) as { pid: number }).pid;
  }

  async end(): Promise<void> {
    if (existsSync(join(this.state, "daemon.json"))) await this.run(["daemon", "stop"]);
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true });
  }

  #track(child: ChildProcess): ChildProcess {
    this.#children.add(child);
    child.once("close", () => this.#children.delete(child));
    return child;
  }
}

/** A terminal in which the program runs. */
export class Sitting {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #seen = "";
  #read = 0;
  #changed = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close").finally(() => this.#changed());
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      this.#seen += more;
      this.#changed();
    });
  }

  /** All output of the terminal so far. */
  get all(): string {
    return this.#seen;
  }

  /** Waits until a text appears after the one last waited for. */
  async see(wanted: string): Promise<void> {
    const late = setTimeout(() => this.#child.kill(), SEE_MS);
    try {
      for (;;) {
        const place = this.#seen.indexOf(wanted, this.#read);
        if (place >= 0) {
          this.#read = place + wanted.length;
          return;
        }
        if (this.#child.exitCode !== null) throw new Error(`never saw ${wanted} in:\n${this.#seen}`);
        await new Promise<void>((resolve) => {
          this.#changed = resolve;
        });
      }
    } finally {
      clearTimeout(late);
    }
  }

  /** Types keys; for a moment after a question the program ignores them. */
  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Presses a key repeatedly until a text appears: right after a question keys are ignored, and several at once are no answer. */
  async press(key: string, until: string): Promise<void> {
    const again = setInterval(() => this.type(key), 1500);
    try {
      await this.see(until);
    } finally {
      clearInterval(again);
    }
  }

  /** The exit code. */
  async end(): Promise<number> {
    await this.#ended;
    return this.#child.exitCode ?? -1;
  }
}
