import type { Writable } from "node:stream";
import { ProtocolError } from "./errors.ts";

/** Lines gathered beyond this many characters are written at once instead of at the end of the running job. */
const FLUSH_LENGTH = 65_536;

/**
 * Writes lines to a stream that may die at any moment. What is written in one go leaves in one system call; a write to a dead
 * peer is an error value, never an exception or an unhandled event.
 */
export class LineWriter {
  readonly #output: Writable;
  #gathered = "";
  #scheduled = false;
  #failure: ProtocolError | undefined;
  #room: Promise<void> | undefined;

  constructor(output: Writable) {
    this.#output = output;
    output.on("error", (cause) =>
      this.#fail(new ProtocolError("not_writable", "the peer no longer reads", { cause })),
    );
    output.on("close", () => this.#fail(new ProtocolError("not_writable", "the peer's input is closed")));
  }

  /** Takes a line with its newline; returns why it can't be written, if so. */
  write(line: string): ProtocolError | undefined {
    if (this.#failure) return this.#failure;
    this.#gathered += line;
    if (this.#gathered.length >= FLUSH_LENGTH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => this.#flush());
    }
    return undefined;
  }

  /** A promise while the peer reads more slowly than we write; whoever produces much waits for it. */
  get room(): Promise<void> | undefined {
    if (!this.#room && !this.#failure && this.#output.writableNeedDrain) {
      this.#room = new Promise<void>((resolve) => {
        this.#output.once("drain", resolve);
        this.#output.once("close", resolve);
      }).finally(() => {
        this.#room = undefined;
      });
    }
    return this.#room;
  }

  /** Hands everything to the system; resolves when it has been taken, or with the reason why it was not. */
  flushed(): Promise<ProtocolError | undefined> {
    this.#flush();
    if (this.#failure) return Promise.resolve(this.#failure);
    return new Promise((resolve) => {
      const settle = () => resolve(this.#failure);
      this.#output.once("close", settle);
      this.#output.write("", () => {
        this.#output.off("close", settle);
        settle();
      });
    });
  }

  /** Writes what is left and ends the stream; writes that come later are refused. */
  async end(): Promise<void> {
    await this.flushed();
    this.#fail(new ProtocolError("closed", "the connection is closed"));
    this.#output.end();
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
  }
}
