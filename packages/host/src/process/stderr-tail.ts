import type { Readable } from "node:stream";

/** How much of stderr is kept for a report. */
const TAIL_CHARS = 4096;

/** Things that look like a secret; each pattern is linear, for what stands here is foreign. */
const SECRETS = [
  /\bsk-[\w-]{8,}/g,
  /\b(?:Bearer|Basic) +[\w.~+/=-]{8,}/gi,
  /\b[\w-]{0,40}(?:api[_-]?key|token|secret|password)["']? {0,4}[=:] {0,4}["']?[^\s"',;]{4,}/gi,
];

/** The last of what an agent writes to stderr. */
export class StderrTail {
  #text = "";

  /** Follows a stream to its end; whatever happens to it is no concern of the agent's. */
  follow(stream: Readable, onText: ((text: string) => void) | undefined): void {
    stream.setEncoding("utf8");
    stream.on("error", () => {});
    stream.on("data", (text: string) => {
      this.#text = `${this.#text}${text}`.slice(-TAIL_CHARS);
      onText?.(text);
    });
  }

  /** The tail, with everything that looks like a secret blotted out: reports end up in logs. */
  toString(): string {
    return SECRETS.reduce((text, secret) => text.replace(secret, "[secret]"), this.#text).trim();
  }
}
