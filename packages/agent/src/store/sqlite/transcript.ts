import { keptBy } from "@agentwire/local/transcript";
import type { JsonObject } from "@agentwire/protocol";
import { asString } from "@agentwire/protocol/support";
import { toEntry } from "../entry.ts";
import { type LineFacts, Lines } from "../lines.ts";
import type { TranscriptRequest } from "../store.ts";
import type { Transcript, TranscriptMessage } from "../transcript.ts";
import type { Database } from "./database.ts";
import { failureCode } from "./failure.ts";
import { forgetPrompt } from "./queue.ts";
import { touchSession } from "./sessions.ts";

/** A transcript in a database. A line is on disk when the call that adds it returns. */
export class SqliteTranscript implements Transcript {
  readonly sessionId: string;
  /** A session in a database has no file. */
  readonly path = undefined;
  readonly #database: Database;
  readonly #lines: Lines;
  readonly #agentId: string;
  readonly #onLost: (code: string) => void;
  /** The lines that the last boundary keeps. */
  #kept: readonly string[] = [];
  #isLost = false;

  constructor(database: Database, options: LineFacts & TranscriptRequest) {
    this.#database = database;
    this.sessionId = options.sessionId;
    this.#agentId = options.subagent?.agentId ?? "";
    this.#lines = new Lines(options);
    this.#onLost = options.onLost;
  }

  append(message: TranscriptMessage): void {
    const line = this.#lines.message(message);
    this.#write(() => {
      // Not before the summary is stored: a boundary without one hides nothing.
      if (line.isCompactSummary === true) leaveBehind(this.#database, this.sessionId, this.#kept);
      this.#insert(line);
      // A prompt is always in exactly one of the queue and the conversation.
      if (message.type === "user") forgetPrompt(this.#database, this.sessionId, message.uuid);
    });
  }

  note(entry: JsonObject): void {
    const line = this.#lines.note(entry);
    if (line.subtype === "compact_boundary") this.#kept = leftBy(line);
    this.#write(() => this.#insert(line));
  }

  async flush(): Promise<void> {}

  #insert(line: JsonObject): void {
    touchSession(this.#database, this.sessionId);
    this.#database
      .statement("INSERT INTO lines (session_id, agent_id, uuid, type, line) VALUES (?, ?, ?, ?, ?)")
      .run(
        this.sessionId,
        this.#agentId,
        asString(line.uuid) ?? null,
        String(line.type),
        JSON.stringify(line),
      );
  }

  #write(work: () => void): void {
    try {
      this.#database.transaction(work);
    } catch (error) {
      if (!this.#isLost) this.#onLost(failureCode(error));
      this.#isLost = true;
    }
  }
}

/** Marks the lines of a conversation as past, except those to keep; they stay in the database. */
export function leaveBehind(database: Database, sessionId: string, kept: readonly string[] = []): void {
  database
    .statement(
      `UPDATE lines SET is_past = 1 WHERE session_id = ? AND agent_id = '' AND is_past = 0
       AND coalesce(uuid, '') NOT IN (SELECT value FROM json_each(?))`,
    )
    .run(sessionId, JSON.stringify(kept));
}

/** The lines that a boundary keeps: also the boundary itself, because it records where the kept messages belong. */
function leftBy(boundary: JsonObject): readonly string[] {
  const entry = toEntry(boundary);
  return entry ? [entry.uuid, ...(keptBy(entry.line)?.uuids ?? [])] : [];
}
