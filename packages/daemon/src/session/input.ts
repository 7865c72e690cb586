import { DaemonError } from "../errors.ts";

/** Who may send prompts to a session: everyone, until somebody takes the input for themselves. */
export class Input {
  readonly #changed: (holder: string, previous: string) => void;
  #holder = "";

  constructor(changed: (holder: string, previous: string) => void) {
    this.#changed = changed;
  }

  /** Empty when everyone may send. */
  get holder(): string {
    return this.#holder;
  }

  /** Takes the input, by force also from somebody else; says who has it then. */
  take(client: string, force: boolean): { readonly taken: boolean; readonly holder: string } {
    const taken = this.#holder === "" || this.#holder === client || force;
    if (taken) this.#give(client);
    return { taken, holder: this.#holder };
  }

  release(client: string): void {
    if (this.#holder === client) this.#give("");
  }

  /** Throws if somebody else holds the input. */
  mustHold(client: string): void {
    if (this.#holder === "" || this.#holder === client) return;
    throw new DaemonError(
      "NOT_INPUT_HOLDER",
      `${this.#holder} holds the input; take it with force, or ask them`,
    );
  }

  #give(client: string): void {
    const previous = this.#holder;
    this.#holder = client;
    if (previous !== client) this.#changed(client, previous);
  }
}
