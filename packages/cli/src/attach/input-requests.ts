import type { Event } from "@agentwire/api";

/** Who asks us for the input of a session, while we hold it. */
export class InputRequests {
  readonly #isUs: (client: string) => boolean;
  readonly #askers = new Map<string, AbortController>();
  /** Called when another client asks. */
  onArrival: () => void = () => {};

  /** `name` is what we call ourselves; the daemon may put behind it what it knows of us. */
  constructor(name: string) {
    this.#isUs = (client) => client === name || client.startsWith(`${name} (`);
  }

  /** Who has waited longest, and a signal that fires when it is over. */
  get first(): { readonly client: string; readonly signal: AbortSignal } | undefined {
    const [first] = this.#askers;
    return first && { client: first[0], signal: first[1].signal };
  }

  /** Takes note of what happens to the input. */
  hear({ body }: Event): void {
    if (body.case === "inputRequest" && this.#isUs(body.value.holder)) {
      this.#askers.set(body.value.client, new AbortController());
      this.onArrival();
    }
    if (body.case === "inputRefusal") this.end(body.value.client);
    if (body.case === "inputHolderChange") for (const client of [...this.#askers.keys()]) this.end(client);
  }

  /** A request has been answered, or is over. */
  end(client: string): void {
    this.#askers.get(client)?.abort();
    this.#askers.delete(client);
  }
}
