import type { GatewayCall } from "@agentwire/models/gateway";
import type { Client } from "../talk/client.ts";

/** How long the daemon may take for one entry, and how many may wait for it. */
const ENTER_MS = 5000;
const MAX_WAITING = 1000;

/** Has the daemon book what calls used, if one runs; without it nothing is booked, and nobody waits. */
export class Books {
  readonly #client: Client;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  /** A call has ended. */
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
      .then(() => this.#client.usage.bookUsage({ model, usage }, { timeoutMs: ENTER_MS }))
      // No daemon, or an older one.
      .catch(() => {})
      .finally(() => this.#waiting--);
  }

  /** Resolves when the last entry is made. */
  async close(): Promise<void> {
    await this.#last;
  }
}
