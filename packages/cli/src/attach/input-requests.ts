import type { Event } from "@agentwire/api";

/** The clients that ask for a session's input while this one holds it. */
export class InputRequests {
  readonly #isUs: (client: string) => boolean;
  readonly #askers = new Map<string, AbortController>();
  /** Called when another client asks. */
  onArrival: () => void = () => {};

  /** `name` is this client's name; the daemon may append what it knows about the client. */
  constructor(name: string) {
    this.#isUs = (client) => client === name || client.startsWith(`${name} (`);
  }

  /** The longest-waiting client, with a signal that fires when its request ends. */
  get first(): { readonly client: string; readonly signal: AbortSignal } | undefined {
    const [first] = this.#askers;
    return first && { client: first[0], signal: first[1].signal };
  }

  /** Updates the requests from an event. */
  handle({ body }: Event): void {
    if (body.case === "inputRequest" && this.#isUs(body.value.holder)) {
      this.#askers.set(body.value.client, new AbortController());
      this.onArrival();
    }
    if (body.case === "inputRefusal") this.end(body.value.client);
    if (body.case === "inputHolderChange") for (const client of [...this.#askers.keys()]) this.end(client);
  }

  /** Removes a request that was answered or has ended. */
  end(client: string): void {
    this.#askers.get(client)?.abort();
    this.#askers.delete(client);
  }
}
