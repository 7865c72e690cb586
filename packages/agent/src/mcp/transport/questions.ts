import type { JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { SessionTransport } from "./session-transport.ts";

/** How many pages that users were sent to are remembered until the server reports their completion. */
const MAX_PAGES = 1_000;

/** The open questions of a shared server, and the session that each was given to. */
export class Questions {
  readonly #asked = new Map<RequestId, SessionTransport>();
  /** The session that was sent to each page. */
  readonly #pages = new Map<string, SessionTransport>();

  hand({ id, params }: JSONRPCRequest, session: SessionTransport): void {
    this.#asked.set(id, session);
    if (typeof params?.elicitationId === "string" && this.#pages.size < MAX_PAGES)
      this.#pages.set(params.elicitationId, session);
  }

  /** Whether an open question was given to this session. */
  isOf(session: SessionTransport, id: RequestId | undefined): boolean {
    return id !== undefined && this.#asked.get(id) === session;
  }

  /** Removes a question; returns the session it was given to. */
  take(id: unknown): SessionTransport | undefined {
    const session = this.#asked.get(id as RequestId);
    this.#asked.delete(id as RequestId);
    return session;
  }

  /** Forgets a page; returns the session that was sent to it. */
  takePage(id: unknown): SessionTransport | undefined {
    const session = this.#pages.get(String(id));
    this.#pages.delete(String(id));
    return session;
  }

  /** Forgets a session; returns the questions it leaves unanswered. */
  leave(session: SessionTransport): readonly RequestId[] {
    for (const [id, sent] of this.#pages) if (sent === session) this.#pages.delete(id);
    return [...this.#asked].flatMap(([id, asked]) => (asked === session ? id : []));
  }
}
