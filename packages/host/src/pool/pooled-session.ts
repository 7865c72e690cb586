import { EventEmitter } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { SpawnedProcess } from "../sdk/process.ts";

/** The process or connection that a session runs in. */
export interface Carrier {
  readonly input: Writable;
  readonly output: Readable;
  kill(signal: NodeJS.Signals): void;
}

/** A session of a shared process, which looks like a process to its host. It accepts input at once and forwards it once it has a carrier. */
export class PooledSession extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  #carrier: Carrier | undefined;
  #isOver = false;

  /** Whether it has ended, or will end before it begins. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Connects the session to its carrier; the signal that killed a waiting session is sent again. */
  carry(carrier: Carrier): void {
    if (this.#isOver) {
      carrier.kill("SIGKILL");
      return;
    }
    this.#carrier = carrier;
    const { input, output } = carrier;
    this.stdin.pipe(input);
    output.pipe(this.stdout);
    // A failed write also ends the output, which reports it.
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

  /** Writes to the session's stderr. */
  complain(text: string): void {
    if (!this.stderr.writableEnded) this.stderr.write(text);
  }

  /** Ends the session; only the first reason counts. */
  exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (!this.#end()) return;
    this.exitCode = code;
    this.signalCode = signal;
    this.emit("exit", code, signal);
  }

  /** Reports that the session could not begin, as for a program that can't be started. */
  fail(error: Error): void {
    if (this.#end()) this.emit("error", error);
  }

  /** Ends its output; false if it had already ended. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.stderr.end();
    // The host no longer writes, and a half-open connection would remain.
    if (this.#carrier) this.#carrier.input.end();
    else this.stdout.end();
    return true;
  }
}
