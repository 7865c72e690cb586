import { appendFileSync, readFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { createPrivateFile } from "@agentwire/local/files";

const MAX_HISTORY = 1000;

/** Reads lines typed at the terminal one at a time, with a history file. */
export class TypedLines {
  readonly #interface: Interface;
  readonly #output: Writable;
  readonly #historyFile: string;
  readonly #typed: string[] = [];
  #taker: ((line: string | undefined) => void) | undefined;
  #hasEnded = false;
  /** Called on Ctrl-C in a terminal. */
  onInterrupt: () => void = () => {};

  constructor(input: Readable & { readonly isTTY?: boolean }, output: Writable, historyFile: string) {
    this.#output = output;
    this.#historyFile = historyFile;
    this.#interface = createInterface({
      input,
      output,
      terminal: input.isTTY === true,
      history: earlierLines(historyFile).reverse(),
      historySize: MAX_HISTORY,
    });
    this.#interface.on("SIGINT", () => this.onInterrupt());
    this.#interface.on("line", (line) => {
      if (this.#taker) this.#deliver(line);
      else this.#typed.push(line);
    });
    this.#interface.on("close", () => {
      this.#hasEnded = true;
      this.#deliver(undefined);
    });
  }

  /** Prompts for the next line; undefined at the end of the input. */
  async next(prompt: string): Promise<string | undefined> {
    const typed = this.#typed.shift();
    return typed !== undefined || this.#hasEnded ? typed : this.#wait(prompt);
  }

  /** The answer to a question. At a terminal, lines typed before the question do not count. */
  async answer(question: string): Promise<string | undefined> {
    if (this.#interface.terminal && !this.#hasEnded) return this.#wait(question);
    this.#output.write(`${question}\n`);
    return this.next("");
  }

  /** Adds a line to the history file. */
  remember(line: string): void {
    try {
      createPrivateFile(this.#historyFile);
      appendFileSync(this.#historyFile, `${line}\n`);
    } catch {
      // The REPL works without a history.
    }
  }

  close(): void {
    this.#interface.close();
  }

  #wait(prompt: string): Promise<string | undefined> {
    this.#interface.setPrompt(prompt);
    this.#interface.prompt();
    return new Promise((resolve) => {
      this.#taker = resolve;
    });
  }

  #deliver(line: string | undefined): void {
    const taker = this.#taker;
    this.#taker = undefined;
    taker?.(line);
  }
}

function earlierLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).slice(-MAX_HISTORY);
  } catch {
    return [];
  }
}
