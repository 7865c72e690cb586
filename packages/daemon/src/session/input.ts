import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Boundary } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import type { SessionState } from "./state.ts";

/** Whether the client got the input, and who holds it now. */
export interface InputClaim {
  readonly taken: boolean;
  readonly holder: string;
}

/** A client that wants the input. */
interface Asker {
  readonly expiresMs: number;
  readonly timer: NodeJS.Timeout;
}

/** How many clients may ask for the input at once. */
const MAX_ASKERS = 100;
/** How long a holder who watches nothing may be silent. */
const SILENT_MS = 600_000;

/**
 * Who may send prompts to a session: everyone, until a client takes the input. Others ask for it, and get
 * it when the holder hands it over, leaves, or does not answer in time; any change of holder ends every request.
 */
export class Input {
  readonly #state: SessionState;
  readonly #patienceMs: number;
  readonly #guard: Boundary;
  /** Who has asked for the input, longest first. */
  readonly #askers = new Map<string, Asker>();
  /** When the holder last did something, by a clock that does not jump. */
  #heardMs = performance.now();

  /** `patienceMs`: how long a holder may leave a request unanswered. */
  constructor(state: SessionState, patienceMs: number, guard: Boundary) {
    this.#state = state;
    this.#patienceMs = patienceMs;
    this.#guard = guard;
  }

  /** Empty if every client may send prompts. */
  get holder(): string {
    return this.#state.record.inputHolder;
  }

  /** Takes the input; with `force`, even from another client. */
  take(client: string, force: boolean): InputClaim {
    const taken = this.#isFreeFor(client) || force;
    if (taken) this.#give(client, "they took it");
    this.#hear(client);
    return { taken, holder: this.holder };
  }

  /** Releases the input: to the client that has asked for it, else to everyone. */
  release(client: string): void {
    if (this.holder === client) this.#give(this.#first, "the holder gave it up");
  }

  /** A client has left: it no longer asks for or holds the input. */
  left(client: string): void {
    if (this.#askers.has(client)) this.#refuse(client, "they left");
    if (this.holder === client) this.#give(this.#first, "the holder left");
  }

  /** Asks the holder for the input; asking again changes nothing. */
  request(client: string): InputClaim & { readonly expiresMs?: number } {
    if (this.#isFreeFor(client)) return this.take(client, false);
    const { holder } = this;
    const expiresMs = this.#askers.get(client)?.expiresMs ?? this.#ask(client);
    return { taken: false, holder, expiresMs };
  }

  /** The holder's answer to a client that has asked, or to the one that has waited longest. */
  answer(client: string, to: string, refuse: boolean): void {
    if (this.holder !== client) throw new DaemonError("NOT_INPUT_HOLDER", "you do not hold the input");
    this.#hear(client);
    const asker = to || this.#first;
    if (!this.#askers.has(asker))
      throw new DaemonError("INVALID_ARGUMENT", "no client of that name has asked for the input");
    if (refuse) this.#refuse(asker, "it was refused");
    else this.#give(asker, "the holder handed it over");
  }

  /** Throws if another client holds the input. */
  mustHold(client: string): void {
    if (!this.#isFreeFor(client))
      throw new DaemonError("NOT_INPUT_HOLDER", `${this.holder} holds the input; ask them for it`);
    this.#hear(client);
  }

  /** No client is watching: a holder that has been silent for long is treated as gone. */
  forgetSilent(): void {
    const { holder } = this;
    if (holder !== "" && performance.now() - this.#heardMs > SILENT_MS)
      this.#give(this.#first, "the holder was inactive for too long");
  }

  /** Releases the input and drops all requests for it. */
  close(reason: string): void {
    this.#give("", reason);
  }

  get #first(): string {
    const [first = ""] = this.#askers.keys();
    return first;
  }

  #hear(client: string): void {
    if (this.holder === client) this.#heardMs = performance.now();
  }

  #isFreeFor(client: string): boolean {
    return this.holder === "" || this.holder === client;
  }

  #ask(client: string): number {
    if (this.#askers.size >= MAX_ASKERS)
      throw new DaemonError("TOO_MANY", `${MAX_ASKERS} clients have already asked for the input`);
    const { holder } = this;
    const expiresMs = Date.now() + this.#patienceMs;
    const timer = setTimeout(
      this.#guard(() => this.#give(client, "the holder did not answer in time")),
      this.#patienceMs,
    ).unref();
    this.#askers.set(client, { expiresMs, timer });
    const value = { client, holder, expiresAt: timestampFromMs(expiresMs) };
    this.#state.tell([{ body: { case: "inputRequest", value } }]);
    return expiresMs;
  }

  #refuse(client: string, reason: string): void {
    this.#forget(client);
    const value = { client, holder: this.holder, reason };
    this.#state.tell([{ body: { case: "inputRefusal", value } }]);
  }

  #forget(client: string): void {
    clearTimeout(this.#askers.get(client)?.timer);
    this.#askers.delete(client);
  }

  #give(client: string, reason: string): void {
    const previous = this.holder;
    if (previous === client) return;
    for (const asker of [...this.#askers.keys()]) this.#forget(asker);
    this.#heardMs = performance.now();
    this.#state.tell(
      [{ body: { case: "inputHolderChange", value: { client, previous, reason } } }],
      [this.#state.change({ inputHolder: client })],
    );
  }
}
