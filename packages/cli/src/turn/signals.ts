import { EXIT_CODES, type ExitCode } from "@agentwire/protocol/support";

/** What the process is told by signals while a turn is on its way; signals are kept until there is a listener. */
export class Signals {
  readonly #interrupted = () => this.#told(EXIT_CODES.interrupted);
  readonly #terminated = () => this.#told(EXIT_CODES.terminated);
  /** Signals that came before there was a listener. */
  #early: ExitCode | undefined;
  #listener: ((code: ExitCode) => void) | undefined;

  constructor() {
    process.on("SIGINT", this.#interrupted).on("SIGTERM", this.#terminated);
  }

  /** From here on every signal is passed on, and the one that came before. */
  listen(listener: (code: ExitCode) => void): void {
    this.#listener = listener;
    if (this.#early !== undefined) listener(this.#early);
  }

  close(): void {
    process.off("SIGINT", this.#interrupted).off("SIGTERM", this.#terminated);
  }

  #told(code: ExitCode): void {
    if (this.#listener) this.#listener(code);
    // A second signal means: do not wait.
    else if (this.#early !== undefined) process.exit(code);
    else this.#early = code;
  }
}
