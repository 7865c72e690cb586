import type { Readable } from "node:stream";
import { redactor } from "@agentwire/protocol/support";

/** How much of stderr is kept for a report. */
const TAIL_CHARS = 4096;

const redact = redactor([]);

/** The last of what an agent writes to stderr. */
export class StderrTail {
  #text = "";

  /** Follows a stream to its end; its errors do not affect the agent. */
  follow(stream: Readable, onText: ((text: string) => void) | undefined): void {
    stream.setEncoding("utf8");
    stream.on("error", () => {});
    stream.on("data", (text: string) => {
      this.#text = `${this.#text}${text}`.slice(-TAIL_CHARS);
      try {
        onText?.(text);
      } catch {
        // A listener of stderr must not end the agent.
      }
    });
  }

  /** The tail, with everything that looks like a secret blotted out: reports end up in logs. */
  toString(): string {
    return redact(this.#text).trim();
  }
}
