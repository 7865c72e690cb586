import type { GatewayCall } from "@agentwire/models/gateway";
import type { Client } from "../talk/client.ts";

/** How long the daemon may take to book one entry, and how many entries may be waiting. */
const BOOK_MS = 5000;
const MAX_WAITING = 1000;

/** Books the usage of calls with the daemon if one is running; without one, nothing is booked and nothing waits. */
export class Books {
  readonly #client: Client;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Books a call that has ended. */
  enter({ model, inputTokens, outputTokens, costUsd, ...call }: GatewayCall): void {
    if (inputTokens + outputTokens === 0 || this.#waiting >= MAX_WAITING) return;
    const usage = {
      inputTokens: BigInt(inputTokens),
      outputTokens: BigInt(outputTokens),
      cacheReadInputTokens: BigInt(call.cacheReadInputTokens),
      cacheCreationInputTokens: BigInt(call.cacheCreationInputTokens),
      ...(costUsd !== undefined && { costUsd }),
    };
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#client.usage.bookUsage({ model, usage }, { timeoutMs: BOOK_MS }))
      // There is no daemon, or an older one.
      .catch(() => {})
      .finally(() => this.#waiting--);
  }

  /** Resolves when the last entry has been booked. */
  async close(): Promise<void> {
    await this.#last;
  }
}
