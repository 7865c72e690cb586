import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";

/** A waiting answer: the lines received so far, and how to end. */
interface Waiting {
  readonly lines: string[];
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** The first and last line of the answer to a command; the last number is 1 if the command came through stdin. */
const MARK = /^%(begin|end|error) \d+ (\d+) 1$/;

/**
 * A client of a tmux server in control mode: it sends commands, and hears of everything that the terminal receives, so that no process
 * is started for either. Emits `output` whenever programs have written to the terminal.
 */
export class TmuxClient extends EventEmitter<{ output: [] }> {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #waiting: Waiting[] = [];
  /** The commands that wait for the terminal: tmux may read what comes through stdin before its own first command. */
  #early: string[] | undefined = [];
  /** The command whose answer is being received. */
  #current: string | undefined;
  #rest = "";
  #outputs = 0;
  #failure: Error | undefined;

  constructor(program: string, args: readonly string[]) {
    super();
    this.#process = spawn(program, ["-C", ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdin?.on("error", () => {});
    this.#process.stdout?.setEncoding("utf8").on("data", (more: string) => this.#take(more));
    this.#ended = once(this.#process, "close").then(() => {
      this.#failure ??= new Error("the terminal has been closed");
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
      this.#noteOutput();
    });
  }

  /** How often programs have written to the terminal. */
  get outputs(): number {
    return this.#outputs;
  }

  /** Runs a command; resolves to what it prints, and rejects if it or one that was sent before has failed. */
  async ask(...words: readonly string[]): Promise<string> {
    if (this.#failure) throw this.#failure;
    const text = await this.#run(words);
    if (this.#failure) throw this.#failure;
    return text;
  }

  /** Runs a command without waiting for it; later ones are run after it. */
  send(...words: readonly string[]): void {
    this.#run(words).catch((error: Error) => {
      this.#failure ??= error;
    });
  }

  /** Waits until programs have written to the terminal more than so many times; rejects if the signal fires before. */
  async outputAfter(outputs: number, signal: AbortSignal): Promise<void> {
    while (this.#outputs === outputs) await once(this, "output", { signal });
  }

  /** Ends the server, and with it everything in its terminal. */
  async close(): Promise<void> {
    this.send("kill-server");
    await this.#ended;
  }

  #run(words: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines: [], resolve, reject });
      const line = `${words.map(quoted).join(" ")}\n`;
      if (this.#early) this.#early.push(line);
      else this.#process.stdin?.write(line);
    });
  }

  #sendEarly(): void {
    for (const line of this.#early ?? []) this.#process.stdin?.write(line);
    this.#early = undefined;
  }

  #noteOutput(): void {
    this.#outputs += 1;
    this.emit("output");
  }

  #take(more: string): void {
    const lines = (this.#rest + more).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    const [, kind, command] = MARK.exec(line) ?? [];
    if (this.#current === undefined) {
      if (kind === "begin") this.#current = command;
      else if (line.startsWith("%output ")) this.#noteOutput();
      else if (line.startsWith("%session-changed ")) this.#sendEarly();
    } else if (kind !== undefined && kind !== "begin" && command === this.#current) {
      this.#current = undefined;
      const { lines, resolve, reject } = this.#waiting.shift() as Waiting;
      if (kind === "end") resolve(lines.map((text) => `${text}\n`).join(""));
      else reject(new Error(`tmux: ${lines.join("\n")}`));
    } else this.#waiting[0]?.lines.push(line);
  }
}

/** A word as tmux reads it. */
const quoted = (word: string): string => `"${word.replace(/[\\"$]/g, "\\$&").replaceAll("\n", "\\n")}"`;
