import type { AgentMessage, Line, Malformed } from "@agentwire/protocol";

/** A line that was no message. */
export interface Fault {
  readonly fault: Malformed;
  readonly line: Line;
}

/** How many questions may wait for somebody to ask for their lines. */
const MAX_REQUESTS = 100;

/** Finds for each message the line it came in, though messages are taken later than lines come. */
export class Arrivals {
  readonly #lines = new Map<number, string>();
  readonly #requests = new Map<string, string>();
  #faults: (Fault & { readonly after: number })[] = [];
  #came = 0;
  #taken = 0;

  /** A message has come; the lines of deltas are not worth keeping, unless they are so long that they need care. */
  came(message: AgentMessage, line: Line, longChars: number): void {
    const text = typeof line === "string" ? line : "";
    switch (message.type) {
      case "control_request":
        this.#requests.set(message.request_id, text);
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

  /** A line has come that is no message; true if everything before it has been taken, so that it is due now. */
  failed(fault: Fault): boolean {
    if (this.#taken === this.#came) return true;
    this.#faults.push({ ...fault, after: this.#came });
    return false;
  }

  /** The line of the next message, where it was kept. */
  take(): string | undefined {
    const line = this.#lines.get(++this.#taken);
    this.#lines.delete(this.#taken);
    return line;
  }

  /** The bad lines that came before the next message. */
  due(): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    const due = this.#faults.filter(({ after }) => after <= this.#taken);
    this.#faults = this.#faults.slice(due.length);
    return due;
  }

  /** The line in which a question was asked. */
  requested(requestId: string): string | undefined {
    const line = this.#requests.get(requestId);
    this.#requests.delete(requestId);
    return line;
  }

  /** Hooks and the like are asked the same way, and nobody wants their lines. */
  #forget(): void {
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > MAX_REQUESTS && oldest !== undefined) this.#requests.delete(oldest);
  }
}
