import { setMaxListeners } from "node:events";
import { after } from "../deadline.ts";
import { ProtocolError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** How a request ended: the peer's payload, or the reason why there is none. */
interface Open {
  resolve(response: JsonObject): void;
  reject(error: ProtocolError): void;
  release(): void;
}

/** The limits a caller can set on a request. */
export interface RequestLimits {
  /** Withdraws the request: the peer is informed, and the promise rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /** How long to wait for the answer before the promise rejects with `timeout`. */
  readonly deadlineMs?: number;
}

/**
 * The requests that wait for an answer. Each settles exactly once: by an answer, by its limits, or by the end
 * of the connection.
 */
export class Pending {
  readonly #open = new Map<string, Open>();
  readonly #waiting: (() => void)[] = [];

  get size(): number {
    return this.#open.size;
  }

  /** Opens a request; `withdraw` is called if its limits end it before the peer answers. */
  open(id: string, limits: RequestLimits, withdraw: () => void): Promise<JsonObject> {
    const { signal, deadlineMs } = limits;
    return new Promise((resolve, reject) => {
      const giveUp = (error: ProtocolError) => {
        if (this.#settle(id, (open) => open.reject(error))) withdraw();
      };
      const abort = () => giveUp(withdrawn(signal));
      const late = () => giveUp(new ProtocolError("timeout", `no answer within ${deadlineMs} ms`));
      const stopTimer = deadlineMs === undefined ? undefined : after(deadlineMs, late);
      // One signal may withdraw any number of requests; that is not a leak to warn about.
      if (signal) setMaxListeners(0, signal);
      signal?.addEventListener("abort", abort, { once: true });
      this.#open.set(id, {
        resolve,
        reject,
        release() {
          stopTimer?.();
          signal?.removeEventListener("abort", abort);
        },
      });
    });
  }

  /** Settles a request with the peer's answer; false if it is no longer open. */
  answer(id: string, response: JsonObject): boolean {
    return this.#settle(id, (open) => open.resolve(response));
  }

  /** Settles a request with the peer's refusal or another failure; false if it is no longer open. */
  refuse(id: string, error: ProtocolError): boolean {
    return this.#settle(id, (open) => open.reject(error));
  }

  /** Settles everything that is still open. */
  failAll(error: ProtocolError): void {
    for (const id of [...this.#open.keys()]) this.refuse(id, error);
  }

  /** Resolves when nothing is open. */
  async idle(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #settle(id: string, settle: (open: Open) => void): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#open.delete(id);
    open.release();
    settle(open);
    if (this.#open.size === 0) for (const wake of this.#waiting.splice(0)) wake();
    return true;
  }
}

/** The error of a request that its caller withdrew. */
export function withdrawn(signal: AbortSignal | undefined): ProtocolError {
  return new ProtocolError("aborted", "the request was withdrawn", { cause: signal?.reason });
}
