import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { SessionTransport } from "./session-transport.ts";

/** An answer to a request, or its refusal. */
export type Answer = Exclude<JSONRPCMessage, { readonly method: string }>;

interface OpenRequest {
  /** Whose it is; nobody's for the handshake, which is done once for all. */
  readonly session: SessionTransport | undefined;
  /** What the session calls it, and what is reported of it. */
  readonly id: RequestId;
  readonly progressToken: RequestId | undefined;
  readonly answer: (message: Answer) => void;
}

/** What a shared server was asked and has not answered, by ids that are different for all sessions. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();
  #lastId = 0;

  /** Makes a session's request one that the server can tell from those of others. */
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

  /** Takes out the request of an id, if it is open. */
  take(id: RequestId | undefined): OpenRequest | undefined {
    const request = this.#open.get(Number(id));
    this.#open.delete(Number(id));
    return request;
  }

  /** The open request that reports its progress under this token. */
  reporting(token: unknown): OpenRequest | undefined {
    const request = this.#open.get(Number(token));
    return request?.progressToken === undefined ? undefined : request;
  }

  /** The ids under which the requests of a session are open. */
  idsOf(session: SessionTransport): readonly number[] {
    return [...this.#open].flatMap(([id, request]) => (request.session === session ? id : []));
  }

  /** The id under which what a session calls `own` is open. */
  idOf(session: SessionTransport, own: unknown): number | undefined {
    return this.idsOf(session).find((id) => this.#open.get(id)?.id === own);
  }

  /** The sessions that wait for an answer. */
  waiting(): ReadonlySet<SessionTransport> {
    return new Set([...this.#open.values()].flatMap(({ session }) => session ?? []));
  }

  clear(): void {
    this.#open.clear();
  }
}
