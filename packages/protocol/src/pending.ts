import { ProtocolError } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** How a request ended: the peer's payload, or the reason why there is none. */
interface Open {
  resolve(response: JsonObject): void;
  reject(error: ProtocolError): void;
  release(): void;
}

/** What a caller may demand of a request. */
export interface RequestLimits {
  /** Withdraws the request: the peer is told, the promise rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /** How long to wait for the answer before the promise rejects with `timeout`. */
  readonly timeoutMs?: number;
}

/** The requests that wait for an answer. Each is settled exactly once: by an answer, its limits, or the end of the connection. */
export class Pending {
  readonly #open = new Map<string, Open>();
  #idle: (() => void) | undefined;

  get size(): number {
    return this.#open.size;
  }

  /** Opens a request; `withdraw` is called if its limits end it before the peer does. */
  open(id: string, limits: RequestLimits, withdraw: () => void): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: ProtocolError) => {
        if (this.#settle(id, (open) => open.reject(error))) withdraw();
      };
      const abort = () =>
        giveUp(new ProtocolError("aborted", "the request was withdrawn", { cause: limits.signal?.reason }));
      const timer =
        limits.timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => giveUp(new ProtocolError("timeout", `no answer within ${limits.timeoutMs} ms`)),
              limits.timeoutMs,
            );
      limits.signal?.addEventListener("abort", abort, { once: true });
      this.#open.set(id, {
        resolve,
        reject,
        release() {
          clearTimeout(timer);
          limits.signal?.removeEventListener("abort", abort);
        },
      });
      if (limits.signal?.aborted) abort();
    });
  }

  /** Settles a request with the peer's answer; false if nobody waits for it any more. */
  answer(id: string, response: JsonObject): boolean {
    return this.#settle(id, (open) => open.resolve(response));
  }

  /** Settles a request with the peer's refusal, or another failure; false if nobody waits for it any more. */
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
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #settle(id: string, settle: (open: Open) => void): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#open.delete(id);
    open.release();
    settle(open);
    if (this.#open.size === 0) this.#idle?.();
    return true;
  }
}
