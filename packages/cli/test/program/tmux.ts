import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { debianProgram } from "../../../../test/debian.ts";
import type { Home } from "./home.ts";

const SEE_MS = 30_000;
const LOOK_MS = 40;
const AGAIN_MS = 2000;

let count = 0;

/** The size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A real terminal with a shell, in which the program is called as by a user. */
export class Tmux {
  readonly #socket: string;
  readonly #program: string;

  constructor(home: Home, size: Size, env: NodeJS.ProcessEnv = {}) {
    // The server of an earlier terminal may still be exiting.
    this.#socket = `${home.folder}/tmux-${++count}`;
    this.#program = debianProgram("tmux", ["/usr/bin/tmux"]);
    const variables = Object.entries({ ...home.env, ...env }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    this.#tmux(
      ...["-f", "/dev/null", "new-session", "-d", "-c", home.project],
      ...["-x", String(size.columns), "-y", String(size.rows)],
      "env",
      "-i",
      ...variables,
      "PS1=$ ",
      "ENV=",
      "TERM=tmux-256color",
      "sh",
      "-i",
    );
    this.#tmux("set-option", "-g", "escape-time", "0");
    this.#tmux("set-window-option", "-g", "window-size", "manual");
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync(this.#program, ["-S", this.#socket, ...args], { encoding: "utf8" });
  }

  /** Presses keys by their tmux names. */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  /** Writes to the terminal behind the program's back. */
  spoil(text: string): void {
    writeFileSync(this.#tmux("display-message", "-p", "#{pane_tty}").trim(), `\u001b[1;1H${text}`);
  }

  /** Pastes as a terminal with bracketed paste does. */
  paste(text: string): void {
    this.#tmux("set-buffer", text);
    this.#tmux("paste-buffer", "-p");
  }

  resize({ columns, rows }: Size): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The text on the screen; with `all`, including the scrollback. */
  text({ all = false, withLooks = false } = {}): string {
    return this.#tmux("capture-pane", "-p", ...(all ? ["-S", "-"] : []), ...(withLooks ? ["-e"] : []));
  }

  /** The column of the cursor, from 0. */
  get column(): number {
    return Number(this.#tmux("display-message", "-p", "#{cursor_x}"));
  }

  /** Waits until the cursor is in a column. */
  async seeCursorAt(column: number): Promise<void> {
    for (const end = Date.now() + SEE_MS; this.column !== column; await setTimeout(LOOK_MS))
      if (Date.now() > end)
        throw new Error(`the cursor is in column ${this.column}, not ${column}:\n${this.text()}`);
  }

  /** Waits until the screen shows a text, or no longer shows it. */
  async see(wanted: string | RegExp, isThere = true): Promise<string> {
    for (const end = Date.now() + SEE_MS; ; await setTimeout(LOOK_MS)) {
      const text = this.text();
      const has = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
      if (has === isThere) return text;
      if (Date.now() > end)
        throw new Error(`${isThere ? "never saw" : "still see"} ${wanted} in:\n${this.text({ all: true })}`);
    }
  }

  /** Presses a key repeatedly until a text appears: right after a question keys are ignored, and several at once are no answer. */
  async pressUntil(key: string, wanted: string | RegExp): Promise<void> {
    for (const end = Date.now() + SEE_MS; Date.now() < end; ) {
      this.press(key);
      for (const next = Date.now() + AGAIN_MS; Date.now() < next; await setTimeout(LOOK_MS)) {
        const text = this.text();
        if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return;
      }
    }
    throw new Error(`never saw ${wanted} in:\n${this.text({ all: true })}`);
  }

  close(): void {
    this.#tmux("kill-server");
  }
}
