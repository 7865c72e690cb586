import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@agentwire/protocol";

/**
 * MCP servers that clients hand to the agents of sessions, by name. Their variables and headers may be secrets, so they are kept only in
 * memory: a client that reopens the session hands them over again.
 */
export class HandedServers {
  readonly #bySession = new Map<string, JsonObject>();

  /** The servers of a session; undefined if it was handed none. */
  of(sessionId: string): JsonObject | undefined {
    return this.#bySession.get(sessionId);
  }

  /** Replaces the servers of a session; false if they are unchanged. */
  take(sessionId: string, servers: JsonObject): boolean {
    if (isDeepStrictEqual(servers, this.of(sessionId) ?? {})) return false;
    if (Object.keys(servers).length > 0) this.#bySession.set(sessionId, servers);
    else this.#bySession.delete(sessionId);
    return true;
  }
}
