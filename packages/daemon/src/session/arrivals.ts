import type { AgentMessage, Line } from "@agentwire/protocol";

/** Where a question came: in which line, and after how many messages. */
interface Request {
  readonly line: string;
  readonly after: number;
}

/** How many questions may wait for somebody to ask for their lines. */
const MAX_REQUESTS = 100;

/** Keeps the order in which an agent spoke, though messages are taken later than lines come. */
export class Arrivals {
  readonly #lines = new Map<number, string>();
  readonly #requests = new Map<string, Request>();
  /** By the number of the message behind which they come. */
  readonly #later = new Map<number, (() => void)[]>();
  #came = 0;
  #taken = 0;

  /** How many messages have come. */
  get count(): number {
    return this.#came;
  }

  /** A message has come; the lines of deltas are not worth keeping, unless they are so long that they need care. */
  came(message: AgentMessage, line: Line, longChars: number): void {
    const text = typeof line === "string" ? line : "";
    switch (message.type) {
      case "control_request":
        this.#requests.set(message.request_id, { line: text, after: this.#came });
        this.#forget();
        return;
      case "control_response":
      case "control_cancel_request":
        return;
      case "stream_event":
        this.#came++;
        if (text.length > longChars) this.#lines.set(this.#came, text);
        return;
      default:
        this.#lines.set(++this.#came, text);
    }
  }

  /** The line of the next message, where it was kept. */
  take(): string | undefined {
    const line = this.#lines.get(++this.#taken);
    this.#lines.delete(this.#taken);
    return line;
  }

  /** Acts once so many messages have been taken: at once, or when `catchUp` is called after the last of them. */
  inTurn(after: number, act: () => void): void {
    if (this.#taken >= after) {
      act();
      return;
    }
    const acts = this.#later.get(after);
    if (acts) acts.push(act);
    else this.#later.set(after, [act]);
  }

  /** The message that was taken last has been dealt with: acts on what came between it and the next. */
  catchUp(): void {
    const due = this.#later.get(this.#taken);
    if (!due) return;
    this.#later.delete(this.#taken);
    for (const act of due) act();
  }

  /** Where a question came; known once. */
  requested(requestId: string): Request | undefined {
    const request = this.#requests.get(requestId);
    this.#requests.delete(requestId);
    return request;
  }

  /** Hooks and the like are asked the same way, and nobody wants their lines. */
  #forget(): void {
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > MAX_REQUESTS && oldest !== undefined) this.#requests.delete(oldest);
  }
}
