import type { JsonObject } from "../../json.ts";
import { type RpcId, rpcError, rpcResult } from "./envelope.ts";

/** The sender of a request: its id (none for a notification) and the batch it arrived in. */
export class Caller {
  readonly id: RpcId | undefined;
  readonly #batch: Batch | undefined;

  constructor(id: RpcId | undefined, batch?: Batch) {
    this.id = id;
    this.#batch = batch;
    if (id !== undefined) batch?.expect();
  }

  /** The lines for the final response to the request. */
  succeed(result: unknown): readonly unknown[] {
    return this.#settle((id) => rpcResult(id, result));
  }

  /** The lines that refuse the request. */
  fail(code: number, message: string, data?: JsonObject): readonly unknown[] {
    return this.#settle((id) => rpcError(id, code, message, data));
  }

  /** A notification has no response. */
  #settle(response: (id: RpcId) => JsonObject): readonly unknown[] {
    if (this.id === undefined) return [];
    return this.#batch ? this.#batch.settle(response(this.id)) : [response(this.id)];
  }
}

/** Requests that arrived in one line: their final responses are sent in one line. */
export class Batch {
  #isRead = false;
  #open = 0;
  readonly #responses: JsonObject[] = [];

  /** Counts a request that will have a response. */
  expect(): void {
    this.#open++;
  }

  /** Takes the response to one of them; returns the line with all responses once they are complete. */
  settle(response: JsonObject): readonly unknown[] {
    this.#open--;
    this.#responses.push(response);
    return this.#lines();
  }

  /** The whole line has been read. */
  close(): readonly unknown[] {
    this.#isRead = true;
    return this.#lines();
  }

  #lines(): readonly unknown[] {
    return this.#isRead && this.#open === 0 && this.#responses.length > 0 ? [this.#responses.splice(0)] : [];
  }
}
