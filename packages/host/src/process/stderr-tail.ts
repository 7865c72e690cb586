import type { Readable } from "node:stream";
import { redactor } from "@agentwire/protocol/support";

/** How much of stderr is kept for a report. */
const TAIL_CHARS = 4096;

const redact = redactor([]);

/** The last of what an agent writes to stderr. */
export class StderrTail {
  #text = "";

  /** Follows a stream to its end; whatever happens to it is no concern of the agent's. */
  follow(stream: Readable, onText: ((text: string) => void) | undefined): void {
    stream.setEncoding("utf8");
    stream.on("error", () => {});
    stream.on("data", (text: string) => {
      this.#text = `${this.#text}${text}`.slice(-TAIL_CHARS);
      try {
        onText?.(text);
      } catch {
        // Whoever listens to stderr has no say in whether the agent goes on.
      }
    });
  }

  /** The tail, with everything that looks like a secret blotted out: reports end up in logs. */
  toString(): string {
    return redact(this.#text).trim();
  }
}
