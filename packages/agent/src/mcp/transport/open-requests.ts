import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { SessionTransport } from "./session-transport.ts";

/** An answer to a request: a result or an error. */
export type Answer = Exclude<JSONRPCMessage, { readonly method: string }>;

interface OpenRequest {
  /** The session that sent it; undefined for the handshake, which is done once for all sessions. */
  readonly session: SessionTransport | undefined;
  /** The id and the progress token that the session chose. */
  readonly id: RequestId;
  readonly progressToken: RequestId | undefined;
  readonly answer: (message: Answer) => void;
}

/** The unanswered requests to a shared server, by ids that are unique across sessions. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();
  #lastId = 0;

  /** Registers a session's request under an id that is unique across sessions. */
  add(
    session: SessionTransport | undefined,
    request: JSONRPCRequest,
    answer: (message: Answer) => void,
  ): JSONRPCRequest & { readonly id: number } {
    const id = ++this.#lastId;
    const { params } = request;
    const progressToken = params?._meta?.progressToken;
    this.#open.set(id, { session, id: request.id, progressToken, answer });
    if (progressToken === undefined) return { ...request, id };
    return { ...request, id, params: { ...params, _meta: { ...params?._meta, progressToken: id } } };
  }

  /** Removes and returns the open request with an id, if there is one. */
  take(id: RequestId | undefined): OpenRequest | undefined {
    const request = this.#open.get(Number(id));
    this.#open.delete(Number(id));
    return request;
  }

  /** The open request that reports progress under this token. */
  reporting(token: unknown): OpenRequest | undefined {
    const request = this.#open.get(Number(token));
    return request?.progressToken === undefined ? undefined : request;
  }

  /** The ids of a session's open requests. */
  idsOf(session: SessionTransport): readonly number[] {
    return [...this.#open].flatMap(([id, request]) => (request.session === session ? id : []));
  }

  /** The id of the open request that a session sent under its own id `own`. */
  idOf(session: SessionTransport, own: unknown): number | undefined {
    return this.idsOf(session).find((id) => this.#open.get(id)?.id === own);
  }

  /** The sessions that are waiting for an answer. */
  waiting(): ReadonlySet<SessionTransport> {
    return new Set([...this.#open.values()].flatMap(({ session }) => session ?? []));
  }

  clear(): void {
    this.#open.clear();
  }
}
