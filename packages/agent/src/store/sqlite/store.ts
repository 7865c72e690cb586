import { createHash } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { WIRE_VERSION } from "../../config/version.ts";
import type { Store } from "../store.ts";
import type { Database } from "./database.ts";
import { loadConversation } from "./load.ts";
import { promptQueue } from "./queue.ts";
import { leaveBehind, SqliteTranscript } from "./transcript.ts";

/** Keeps one session of the many that a database holds. */
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
    // An id is any text of a host's choice, and every database may have the same ones.
    folderName: (id) => createHash("sha256").update(`${database.path}\0${id}`).digest("hex").slice(0, 32),
    queue: promptQueue(database, sessionId),
  };
}
