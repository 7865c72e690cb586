import type { JsonObject } from "../../json.ts";
import { type RpcId, rpcError, rpcResult } from "./envelope.ts";

/** Who made a request: its id, none for a notification, and the batch that it came in. */
export class Caller {
  readonly id: RpcId | undefined;
  readonly #batch: Batch | undefined;

  constructor(id: RpcId | undefined, batch?: Batch) {
    this.id = id;
    this.#batch = batch;
    if (id !== undefined) batch?.expect();
  }

  /** The lines for the last response to the request. */
  succeed(result: unknown): readonly unknown[] {
    return this.#settle((id) => rpcResult(id, result));
  }

  /** The lines for its refusal. */
  fail(code: number, message: string, data?: JsonObject): readonly unknown[] {
    return this.#settle((id) => rpcError(id, code, message, data));
  }

  /** A notification has no response. */
  #settle(response: (id: RpcId) => JsonObject): readonly unknown[] {
    if (this.id === undefined) return [];
    return this.#batch ? this.#batch.settle(response(this.id)) : [response(this.id)];
  }
}

/** Requests that came in one line: their last responses go back in one. */
export class Batch {
  #isRead = false;
  #open = 0;
  readonly #responses: JsonObject[] = [];

  /** Counts a request that will have a response. */
  expect(): void {
    this.#open++;
  }

  /** Takes the response to one of them; returns the line with all of them once they are complete. */
  settle(response: JsonObject): readonly unknown[] {
    this.#open--;
    this.#responses.push(response);
    return this.#lines();
  }

  /** All of the line has been read. */
  close(): readonly unknown[] {
    this.#isRead = true;
    return this.#lines();
  }

  #lines(): readonly unknown[] {
    return this.#isRead && this.#open === 0 && this.#responses.length > 0 ? [this.#responses.splice(0)] : [];
  }
}
