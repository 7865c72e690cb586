import { writeFileSync } from "node:fs";
import { debianProgram } from "../../../../test/debian.ts";
import type { Home } from "./home.ts";
import { TmuxClient } from "./tmux-client.ts";

const SEE_MS = 30_000;
const AGAIN_MS = 2000;

let count = 0;

/** The size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A real terminal with a shell, in which the program is called as by a user. */
export class Tmux {
  readonly #client: TmuxClient;

  constructor(home: Home, size: Size, env: NodeJS.ProcessEnv = {}) {
    const variables = Object.entries({ ...home.env, ...env }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    this.#client = new TmuxClient(debianProgram("tmux", ["/usr/bin/tmux"]), [
      // The server of an earlier terminal may still be exiting.
      ...["-S", `${home.folder}/tmux-${++count}`, "-f", "/dev/null", "new-session", "-c", home.project],
      ...["-x", String(size.columns), "-y", String(size.rows)],
      "env",
      "-i",
      ...variables,
      "PS1=$ ",
      "ENV=",
      "TERM=tmux-256color",
      "sh",
      "-i",
    ]);
    this.#client.send("set-option", "-g", "escape-time", "0");
    this.#client.send("set-window-option", "-g", "window-size", "manual");
    // The terminal ends with the test, even if that is killed.
    this.#client.send("set-option", "-g", "destroy-unattached", "on");
  }

  /** Presses keys by their tmux names. */
  press(...keys: readonly string[]): void {
    this.#client.send("send-keys", ...keys);
  }

  type(text: string): void {
    this.#client.send("send-keys", "-l", text);
  }

  /** Writes to the terminal behind the program's back. */
  async spoil(text: string): Promise<void> {
    const terminal = await this.#client.ask("display-message", "-p", "#{pane_tty}");
    writeFileSync(terminal.trim(), `\u001b[1;1H${text}`);
  }

  /** Pastes as a terminal with bracketed paste does. */
  paste(text: string): void {
    this.#client.send("set-buffer", text);
    this.#client.send("paste-buffer", "-p");
  }

  resize({ columns, rows }: Size): void {
    this.#client.send("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The text on the screen; with `all`, including the scrollback. */
  text({ all = false, withLooks = false } = {}): Promise<string> {
    const options = [...(all ? ["-S", "-"] : []), ...(withLooks ? ["-e"] : [])];
    return this.#client.ask("capture-pane", "-p", ...options);
  }

  /** The column of the cursor, from 0. */
  async column(): Promise<number> {
    return Number(await this.#client.ask("display-message", "-p", "#{cursor_x}"));
  }

  /** Waits until the cursor is in a column. */
  async seeCursorAt(column: number): Promise<void> {
    const isThere = async () => ((await this.column()) === column ? true : undefined);
    if (await this.#look(isThere, SEE_MS)) return;
    throw new Error(`the cursor is in column ${await this.column()}, not ${column}:\n${await this.text()}`);
  }

  /** Waits until the screen shows a text, or no longer shows it. */
  async see(wanted: string | RegExp, isThere = true): Promise<string> {
    const text = await this.#textWith(wanted, isThere, SEE_MS);
    if (text !== undefined) return text;
    throw new Error(
      `${isThere ? "never saw" : "still see"} ${wanted} in:\n${await this.text({ all: true })}`,
    );
  }

  /** Presses a key repeatedly until a text appears: right after a question keys are ignored, and several at once are no answer. */
  async pressUntil(key: string, wanted: string | RegExp): Promise<void> {
    for (const end = Date.now() + SEE_MS; Date.now() < end; ) {
      this.press(key);
      if ((await this.#textWith(wanted, true, AGAIN_MS)) !== undefined) return;
    }
    throw new Error(`never saw ${wanted} in:\n${await this.text({ all: true })}`);
  }

  #textWith(wanted: string | RegExp, isThere: boolean, ms: number): Promise<string | undefined> {
    return this.#look(async () => {
      const text = await this.text();
      const has = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
      return has === isThere ? text : undefined;
    }, ms);
  }

  /** Looks at the terminal again whenever it has changed, until there is a result; undefined if there is none in time. */
  async #look<T>(look: () => Promise<T | undefined>, ms: number): Promise<T | undefined> {
    for (const late = AbortSignal.timeout(ms); ; ) {
      const { outputs } = this.#client;
      const found = await look();
      if (found !== undefined || late.aborted) return found;
      await this.#client.outputAfter(outputs, late).catch(() => {});
    }
  }

  /** Ends the terminal and everything in it, like closing its window. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
