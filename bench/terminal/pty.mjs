import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NotMeasured } from "../measure.mjs";

export const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/agentwire", import.meta.url));

const SEE_MS = 120_000;

/** A program in a separate 80×24 terminal, which `script` creates. */
export class Pty {
  #child;
  #seen = "";
  #onMore = () => {};

  constructor(command, env, cwd) {
    const options = { cwd, env: { PATH: process.env.PATH, TERM: "xterm-256color", NO_COLOR: "1", ...env } };
    this.#child = spawn("script", ["-qfec", `exec ${command}`, "/dev/null"], options);
    this.failed = once(this.#child, "error").then(([error]) => {
      throw new NotMeasured(`script can't be run: ${error.message}`);
    });
    this.failed.catch(() => {});
    this.#child.stdout.setEncoding("utf8").on("data", (more) => {
      this.#seen += more;
      this.#onMore();
    });
  }

  type(keys) {
    this.#child.stdin.write(keys);
  }

  /** Discards the output so far. */
  forget() {
    this.#seen = "";
  }

  /** Resolves as soon as a text has been written. */
  async see(wanted) {
    const late = setTimeout(() => this.#child.kill("SIGKILL"), SEE_MS);
    try {
      // Nothing is searched twice, because the measured program needs the CPU more than this one.
      for (let from = 0; !this.#seen.includes(wanted, from); ) {
        if (this.#seen.length > 100_000) this.#seen = this.#seen.slice(-wanted.length);
        from = Math.max(0, this.#seen.length - wanted.length);
        if (this.#child.exitCode !== null)
          throw new NotMeasured(`never saw ${wanted}: ${this.#seen.slice(-500)}`);
        const more = new Promise((resolve) => {
          this.#onMore = resolve;
        });
        await Promise.race([more, this.failed]);
      }
    } finally {
      clearTimeout(late);
    }
  }

  /** The process of the program. */
  get pid() {
    const { pid } = this.#child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
  }

  /** The memory of the program, in MB. */
  megabytes() {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  }

  /** The CPU time of the program, in ms. */
  cpuMs() {
    // The fields after the program's name, which may contain any characters; a tick is 10 ms.
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async end() {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await exited;
  }
}
