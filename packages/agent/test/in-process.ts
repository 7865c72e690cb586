import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Script } from "@agentwire/models/script";
import { type JsonObject, LineSplitter } from "@agentwire/protocol";
import { readConfig } from "../src/config/config.ts";
import { parseFlags } from "../src/config/flags.ts";
import { runOnDatabase } from "../src/database/database-modes.ts";
import { serveStdio } from "../src/serve/stdio.ts";
import type { Place } from "./place.ts";

/** How long a conversation may be silent before it counts as hung. */
const DEADLINE_MS = 20_000;

/** An agent that serves two streams inside the test process, fast enough for hundreds of conversations. */
export class InProcessAgent {
  readonly lines: JsonObject[] = [];
  readonly #input = new PassThrough();
  readonly #ended: Promise<number>;
  #look: () => void = () => {};

  constructor(place: Place, args: readonly string[]) {
    const output = new PassThrough();
    const splitter = new LineSplitter();
    output.on("data", (bytes: Buffer) => {
      this.lines.push(...splitter.push(bytes).map((line) => JSON.parse(String(line))));
      this.#look();
    });
    const config = readConfig(parseFlags(args), place.env, place.cwd);
    const complain = () => {};
    this.#ended =
      config.database === undefined
        ? serveStdio(config, this.#input, output, complain)
        : runOnDatabase(config, config.database, { input: this.#input, output, complain });
  }

  send(...messages: readonly JsonObject[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  write(text: string): void {
    this.#input.write(text);
  }

  /** Resolves when a line from an index on matches, or after a short time, because the line may never come. */
  async until(matches: (line: JsonObject) => boolean, from: number, patienceMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#look = () => {
        if (!this.lines.slice(from).some(matches)) return;
        clearTimeout(timer);
        resolve();
      };
      this.#look();
    });
    this.#look = () => {};
  }

  /** Closes the host's end; resolves with the exit code, or rejects if the agent hangs. */
  async end(): Promise<number> {
    this.#input.end();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const hung = () => reject(new Error(`the agent hangs\n${this.describe()}`));
      timer = setTimeout(hung, DEADLINE_MS);
    });
    return Promise.race([this.#ended, late]).finally(() => clearTimeout(timer));
  }

  /** A short form of everything it has sent. */
  describe(): string {
    return this.lines.map((line) => JSON.stringify(line).slice(0, 160)).join("\n");
  }
}

let scripts = 0;

/** Writes another script to a place; returns the flags that play it. */
export async function playingOne(place: Place, script: Script): Promise<readonly string[]> {
  const path = join(place.cwd, "..", `script-${++scripts}.json`);
  await writeFile(path, JSON.stringify(script));
  return ["--script", path];
}
