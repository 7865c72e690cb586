import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { ProtocolError } from "../errors.ts";

/** The number of gathered characters above which lines are written at once instead of at the end of the running job. */
const FLUSH_LENGTH = 65_536;

/**
 * Writes lines to a stream that may die at any moment. Lines written together leave in one system call; a
 * write to a dead peer is an error value, never an exception or an unhandled event.
 */
export class LineWriter {
  readonly #output: Writable;
  #gathered = "";
  #scheduled = false;
  #failure: ProtocolError | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;
  /** Callers that wait for a flush: a stream that dies may never call them back. */
  readonly #flushing = new Set<() => void>();

  constructor(output: Writable) {
    this.#output = output;
    output.on("error", (cause) => this.#fail(notWritable({ cause })));
    output.on("close", () => this.#fail(notWritable()));
    output.on("drain", () => this.#makeRoom?.());
  }

  /** Takes a line with its newline; returns the error if it can't be written. */
  write(line: string): ProtocolError | undefined {
    // The stream may have been ended elsewhere, or before we received it.
    if (!this.#output.writable) this.#fail(notWritable());
    if (this.#failure) return this.#failure;
    this.#gathered += line;
    if (this.#gathered.length >= FLUSH_LENGTH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      // Not a microtask: the events of one stream arrive one per microtask, and each would make its own system call.
      process.nextTick(() => this.#flush());
    }
    return undefined;
  }

  /** How much was written that the system has not accepted yet. */
  get backlog(): number {
    return this.#gathered.length + this.#output.writableLength;
  }

  /** A promise that is pending while the peer reads more slowly than we write; callers that write a lot wait for it. */
  get room(): Promise<void> | undefined {
    if (!this.#room && !this.#failure && this.#output.writableNeedDrain) {
      this.#room = new Promise((resolve) => {
        this.#makeRoom = () => {
          this.#room = undefined;
          resolve();
        };
      });
    }
    return this.#room;
  }

  /** Hands everything to the system; resolves once it is accepted, or with the error if it was not. */
  flushed(): Promise<ProtocolError | undefined> {
    this.#flush();
    if (this.#failure) return Promise.resolve(this.#failure);
    return new Promise((resolve) => {
      const settle = () => {
        this.#flushing.delete(settle);
        resolve(this.#failure);
      };
      this.#flushing.add(settle);
      this.#output.write("", (cause) => {
        if (cause) this.#fail(notWritable({ cause }));
        settle();
      });
    });
  }

  /** Refuses writes from now on; resolves when everything before is written and the stream has ended or is dead. */
  async end(): Promise<void> {
    this.#flush();
    this.#failure ??= new ProtocolError("closed", "the connection is closed");
    this.#makeRoom?.();
    this.#output.end();
    // How it ended no longer matters.
    await finished(this.#output, { readable: false, cleanup: true }).catch(() => undefined);
  }

  #flush(): void {
    this.#scheduled = false;
    const text = this.#gathered;
    if (text === "" || this.#failure) return;
    this.#gathered = "";
    this.#output.write(text);
  }

  #fail(failure: ProtocolError): void {
    this.#failure ??= failure;
    this.#gathered = "";
    this.#makeRoom?.();
    for (const settle of this.#flushing) settle();
  }
}

function notWritable(options: ErrorOptions = {}): ProtocolError {
  return new ProtocolError("not_writable", "the peer no longer reads", options);
}
