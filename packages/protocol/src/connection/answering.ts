import type { ControlRequest, ControlResponse } from "../control/envelope.ts";
import { unsupportedRequest } from "../control/error-codes.ts";
import type { RequestReading } from "../control/read.ts";
import type { AnyRequest, RequestTable, ResponseOf } from "../control/request-table.ts";
import { errorMessage, ProtocolError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** What a handler receives besides the request. */
export interface RequestContext {
  readonly requestId: string;
  /** The line that carried the request; undefined if there was none. */
  readonly line?: string | undefined;
  /** Aborted when the peer withdraws the request or the connection closes. */
  readonly signal: AbortSignal;
  /** Adds fields to the answer, next to its payload or error. */
  addToAnswer(fields: AnswerFields): void;
}

/** The fields that an answer may have besides its payload or error. */
export type AnswerFields = Omit<
  Extract<ControlResponse["response"], { subtype: "error" }>,
  "subtype" | "request_id" | "error" | "error_code"
>;

/** How a program answers its peer's requests, by subtype; a throw becomes an error answer. */
export type Handlers<Table extends RequestTable> = {
  readonly [S in keyof Table]?: (
    request: Extract<AnyRequest<Table>, { subtype: S }>,
    context: RequestContext,
  ) => ResponseOf<Table, S> | Promise<ResponseOf<Table, S>>;
};

/** Reads and checks a request before anyone handles it. */
export type ReadRequest = (request: JsonObject) => RequestReading<{ subtype: string }>;

/** The limit on open requests: a peer that exceeds it is not waiting for answers. */
const MAX_OPEN = 10_000;

/**
 * Answers the peer's requests independently of the read loop: any number at once, each exactly once,
 * withdrawn ones not at all.
 */
export class Answering<Table extends RequestTable> {
  readonly #readRequest: ReadRequest;
  readonly #handlers: Handlers<Table>;
  readonly #reply: (answer: ControlResponse) => void;
  readonly #open = new Map<string, AbortController>();
  readonly #waiting: (() => void)[] = [];

  constructor(readRequest: ReadRequest, handlers: Handlers<Table>, reply: (answer: ControlResponse) => void) {
    this.#readRequest = readRequest;
    this.#handlers = handlers;
    this.#reply = reply;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Starts answering a request. A repeat of one that is still open is dropped; requests beyond the limit are
   * refused.
   */
  take(message: ControlRequest, line: string | undefined): void {
    const { request_id } = message;
    if (this.#open.has(request_id)) return;
    if (this.#open.size < MAX_OPEN) void this.#answer(message, line);
    else
      this.#reply(failure(request_id, new ProtocolError("refused", `${MAX_OPEN} requests are already open`)));
  }

  /** Withdraws a request: its handler's signal is aborted, and its return value is not sent. */
  cancel(id: string, reason: ProtocolError): void {
    const controller = this.#open.get(id);
    this.#forget(id);
    controller?.abort(reason);
  }

  /** Withdraws all requests. */
  cancelAll(reason: ProtocolError): void {
    for (const id of [...this.#open.keys()]) this.cancel(id, reason);
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #answer({ request_id, request }: ControlRequest, line: string | undefined): Promise<void> {
    const controller = new AbortController();
    this.#open.set(request_id, controller);
    let fields: AnswerFields = {};
    const addToAnswer = (more: AnswerFields) => {
      fields = { ...fields, ...more };
    };
    const context = { requestId: request_id, line, signal: controller.signal, addToAnswer };
    let answer: ControlResponse;
    try {
      answer = success(request_id, await this.#handle(request, context), fields);
    } catch (error) {
      answer = failure(request_id, error, fields);
    }
    if (this.#open.get(request_id) !== controller) return;
    this.#forget(request_id);
    try {
      this.#reply(answer);
    } catch (error) {
      // The handler returned something that JSON can't represent; the peer must get an answer anyway.
      this.#reply(failure(request_id, error));
    }
  }

  async #handle(raw: JsonObject, context: RequestContext): Promise<JsonObject> {
    const read = this.#readRequest(raw);
    if (!read.ok) throw new ProtocolError(read.code, read.reason, { errorCode: read.code });
    const { subtype } = read.request;
    const handler = Object.hasOwn(this.#handlers, subtype) ? this.#handlers[subtype] : undefined;
    if (!handler) {
      const errorCode = "unsupported_request";
      throw new ProtocolError(errorCode, unsupportedRequest(subtype), { errorCode });
    }
    return ((await handler(read.request as never, context)) ?? {}) as JsonObject;
  }

  #forget(id: string): void {
    this.#open.delete(id);
    if (this.#open.size === 0) for (const wake of this.#waiting.splice(0)) wake();
  }
}

function success(requestId: string, response: JsonObject, fields: AnswerFields): ControlResponse {
  return {
    type: "control_response",
    response: { subtype: "success", request_id: requestId, response, ...fields },
  };
}

function failure(requestId: string, error: unknown, fields: AnswerFields = {}): ControlResponse {
  const code = error instanceof ProtocolError ? error.errorCode : undefined;
  return {
    type: "control_response",
    response: {
      subtype: "error",
      request_id: requestId,
      error: errorMessage(error),
      ...(code !== undefined && { error_code: code }),
      ...fields,
    },
  };
}
