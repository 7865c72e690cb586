import { createHash } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { WIRE_VERSION } from "../../config/version.ts";
import { Chain } from "../chain.ts";
import { SessionLines } from "../entry.ts";
import { toSession } from "../load.ts";
import type { Store } from "../store.ts";
import type { LoadedSession } from "../transcript.ts";
import type { Database } from "./database.ts";
import { promptQueue } from "./queue.ts";
import { leaveBehind, SqliteTranscript } from "./transcript.ts";

/** Stores one of the many sessions in a database. */
export function databaseStore(database: Database, sessionId: string, { cwd, entrypoint }: Config): Store {
  return {
    async open() {
      const earlier = loadConversation(database, sessionId);
      return { kind: "open", sessionId, earlier, copied: [] };
    },
    transcript: (wanted) =>
      new SqliteTranscript(database, {
        cwd,
        version: WIRE_VERSION,
        ...(entrypoint && { entrypoint }),
        ...wanted,
      }),
    renew(id) {
      leaveBehind(database, id);
      return id;
    },
    // Ids are arbitrary texts chosen by hosts, and databases may share them.
    folderName: (id) => createHash("sha256").update(`${database.path}\0${id}`).digest("hex").slice(0, 32),
    queue: promptQueue(database, sessionId),
  };
}

/** Loads the current conversation of a session; undefined if it is empty. */
export function loadConversation(database: Database, sessionId: string): LoadedSession | undefined {
  const lines = new SessionLines();
  const rows = database
    .statement("SELECT line FROM lines WHERE session_id = ? AND agent_id = '' AND is_past = 0 ORDER BY seq")
    .all(sessionId);
  for (const row of rows) lines.add(String((row as { line: unknown }).line));
  const kept = new Chain(lines.stored.entries).newest();
  if (kept.length === 0) return undefined;
  return toSession(sessionId, lines.stored, kept, []);
}
