import type { JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { SessionTransport } from "./session-transport.ts";

/** How many pages that a server sent users to are remembered until it says that they are done. */
const MAX_PAGES = 1_000;

/** What a shared server has asked, and which session was handed it. */
export class Questions {
  readonly #asked = new Map<RequestId, SessionTransport>();
  /** Who was sent to a page. */
  readonly #pages = new Map<string, SessionTransport>();

  hand({ id, params }: JSONRPCRequest, session: SessionTransport): void {
    this.#asked.set(id, session);
    if (typeof params?.elicitationId === "string" && this.#pages.size < MAX_PAGES)
      this.#pages.set(params.elicitationId, session);
  }

  /** Whether a question is open that this session was handed. */
  isOf(session: SessionTransport, id: RequestId | undefined): boolean {
    return id !== undefined && this.#asked.get(id) === session;
  }

  /** Takes out a question; gives back who was handed it. */
  take(id: unknown): SessionTransport | undefined {
    const session = this.#asked.get(id as RequestId);
    this.#asked.delete(id as RequestId);
    return session;
  }

  /** Forgets a page; gives back who was sent to it. */
  takePage(id: unknown): SessionTransport | undefined {
    const session = this.#pages.get(String(id));
    this.#pages.delete(String(id));
    return session;
  }

  /** Forgets a session; gives back which questions it leaves open. */
  leave(session: SessionTransport): readonly RequestId[] {
    for (const [id, sent] of this.#pages) if (sent === session) this.#pages.delete(id);
    return [...this.#asked].flatMap(([id, asked]) => (asked === session ? id : []));
  }
}
