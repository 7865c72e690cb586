import { connectProvider } from "../client.ts";
import { ModelError } from "../model-error.ts";
import type { Provider } from "../providers/provider.ts";
import type { ModelClient } from "../request.ts";
import type { GatewayLimits } from "./limits.ts";

/** The running calls and the connections that they share. */
export class Calls {
  readonly #limits: GatewayLimits;
  readonly #running = new Set<AbortController>();
  readonly #clients = new WeakMap<Provider, ModelClient>();

  constructor(limits: GatewayLimits) {
    this.#limits = limits;
  }

  /** Starts a call that ends with its signal; throws if too many are running. */
  begin(): AbortController {
    if (this.#running.size >= this.#limits.maxCalls)
      throw new ModelError(
        429,
        "rate_limit_error",
        `the gateway is already running ${this.#limits.maxCalls} calls`,
        {
          retryAfterMs: 1000,
        },
      );
    const call = new AbortController();
    this.#running.add(call);
    return call;
  }

  end(call: AbortController): void {
    this.#running.delete(call);
  }

  /** The shared connection to a provider. */
  clientOf(provider: Provider): ModelClient {
    const client = this.#clients.get(provider) ?? connectProvider(provider, this.#limits.silenceMs);
    this.#clients.set(provider, client);
    return client;
  }

  abortAll(): void {
    for (const call of this.#running)
      call.abort(new ModelError(503, "overloaded_error", "the gateway is shutting down"));
  }
}
