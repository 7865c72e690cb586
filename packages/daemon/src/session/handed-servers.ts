import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@agentwire/protocol";

/**
 * MCP servers that clients hand to the agents of sessions, by name. Their variables and headers may be secrets, so they are kept in memory
 * alone: a client that opens the session again hands them over again.
 */
export class HandedServers {
  readonly #bySession = new Map<string, JsonObject>();

  /** The servers of a session; undefined if it was handed none. */
  of(sessionId: string): JsonObject | undefined {
    return this.#bySession.get(sessionId);
  }

  /** Takes the servers of a session in place of those before; false if they are the same. */
  take(sessionId: string, servers: JsonObject): boolean {
    if (isDeepStrictEqual(servers, this.of(sessionId) ?? {})) return false;
    if (Object.keys(servers).length > 0) this.#bySession.set(sessionId, servers);
    else this.#bySession.delete(sessionId);
    return true;
  }
}
