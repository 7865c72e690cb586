import { appendFileSync, readFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { createPrivateFile } from "@agentwire/local/files";

const MAX_HISTORY = 1000;

/** The lines typed at the terminal, one at a time, with a history file. */
export class TypedLines {
  readonly #interface: Interface;
  readonly #output: Writable;
  readonly #historyFile: string;
  readonly #typed: string[] = [];
  #taker: ((line: string | undefined) => void) | undefined;
  #hasEnded = false;
  /** Called for Ctrl-C at a terminal. */
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
      if (this.#taker) this.#hand(line);
      else this.#typed.push(line);
    });
    this.#interface.on("close", () => {
      this.#hasEnded = true;
      this.#hand(undefined);
    });
  }

  /** The next line, after asking for it; undefined when there are no more. */
  async next(prompt: string): Promise<string | undefined> {
    const typed = this.#typed.shift();
    return typed !== undefined || this.#hasEnded ? typed : this.#wait(prompt);
  }

  /** The answer to a question. What a person typed before it was asked is none. */
  async answer(question: string): Promise<string | undefined> {
    if (this.#interface.terminal && !this.#hasEnded) return this.#wait(question);
    this.#output.write(`${question}\n`);
    return this.next("");
  }

  /** Keeps a line for the next time. */
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

  #hand(line: string | undefined): void {
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
