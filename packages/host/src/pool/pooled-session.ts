import { EventEmitter } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { SpawnedProcess } from "../sdk/process.ts";

/** What a session really runs in. */
export interface Carrier {
  readonly input: Writable;
  readonly output: Readable;
  kill(signal: NodeJS.Signals): void;
}

/** A session of a shared process, to its host a process like any other. It takes input at once, and passes it on when it has a carrier. */
export class PooledSession extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  #carrier: Carrier | undefined;
  #isOver = false;

  /** Whether it has ended, or will before it begins. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Lets it run; one that was killed meanwhile is killed again. */
  carry(carrier: Carrier): void {
    if (this.#isOver) {
      carrier.kill("SIGKILL");
      return;
    }
    this.#carrier = carrier;
    const { input, output } = carrier;
    this.stdin.pipe(input);
    output.pipe(this.stdout);
    // What could not be passed on ends the output as well, and that is noticed.
    input.on("error", () => {});
    output.on("error", () => this.stdout.end()).on("close", () => this.stdout.end());
    this.stdout.on("close", () => output.destroy());
  }

  kill(signal: NodeJS.Signals): boolean {
    this.killed = true;
    if (this.#isOver) return false;
    if (this.#carrier) this.#carrier.kill(signal);
    else this.exit(null, signal);
    return true;
  }

  /** What it wrote to stderr. */
  complain(text: string): void {
    if (!this.stderr.writableEnded) this.stderr.write(text);
  }

  /** It is over; the first reason counts. */
  exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (!this.#end()) return;
    this.exitCode = code;
    this.signalCode = signal;
    this.emit("exit", code, signal);
  }

  /** It could not begin: its host is told as of a program that can't be started. */
  fail(error: Error): void {
    if (this.#end()) this.emit("error", error);
  }

  /** Ends its output; false if it was over already. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.stderr.end();
    // The host no longer writes, and what is half open would stay.
    if (this.#carrier) this.#carrier.input.end();
    else this.stdout.end();
    return true;
  }
}
