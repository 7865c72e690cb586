import { randomUUID } from "node:crypto";
import { PromptState, SessionStatus } from "@agentwire/api";
import type { MessageContent } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import type { Database } from "../store/database.ts";
import type { Prompt } from "./prompts.ts";
import { findByKey, findSession, insertSession, type SessionRecord, updateSession } from "./record.ts";
import { recover, unfinishedSessions } from "./recovery.ts";
import { Session, type SessionDeps } from "./session.ts";

/** What a new session is made of. */
export interface NewSession extends Pick<SessionRecord, "title" | "cwd" | "agent" | "model" | "mode"> {
  /** The same key gives the same session. */
  readonly idempotencyKey: string | null;
  readonly forkedFrom?: SessionRecord;
}

/** All sessions: the ones in use in memory, the rest in the store. */
export class Registry {
  readonly #deps: SessionDeps;
  readonly #sessions = new Map<string, Session>();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get #db(): Database {
    return this.#deps.db;
  }

  /** The sessions in memory. */
  get live(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Tells the end of what an earlier daemon left open, and goes on with what it had accepted. */
  async start(): Promise<void> {
    await Promise.all(unfinishedSessions(this.#db).map((id) => this.#takeUp(id)));
  }

  /** The session of that id if it is in memory. */
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The session of that id; throws `SESSION_NOT_FOUND`. */
  get(id: string): Session {
    const known = this.#sessions.get(id);
    if (known) return known;
    const record = findSession(this.#db, id);
    if (!record || record.deletedMs !== null) throw new DaemonError("SESSION_NOT_FOUND");
    return this.#load(record);
  }

  async create(wish: NewSession): Promise<Session> {
    const known = wish.idempotencyKey === null ? undefined : findByKey(this.#db, wish.idempotencyKey);
    if (known) return this.get(known.id);
    const now = Date.now();
    const record: SessionRecord = {
      id: randomUUID(),
      title: wish.title,
      cwd: wish.cwd,
      agent: wish.agent,
      model: wish.model,
      mode: wish.mode,
      status: SessionStatus.IDLE,
      agentSessionId: wish.forkedFrom?.agentSessionId ?? "",
      forkedFrom: wish.forkedFrom?.id ?? "",
      firstPrompt: "",
      idempotencyKey: wish.idempotencyKey,
      createdMs: now,
      updatedMs: now,
      deletedMs: null,
    };
    await this.#deps.writer.write([insertSession(record)]);
    return this.#load(record);
  }

  /** Puts a session aside; it can be restored until it is cleared away. */
  async remove(id: string): Promise<void> {
    const session = this.get(id);
    await session.close("the session was deleted");
    this.#sessions.delete(id);
    await this.#deps.writer.write([updateSession(id, { deletedMs: Date.now() })]);
  }

  async restore(id: string): Promise<Session> {
    const record = findSession(this.#db, id);
    if (!record) throw new DaemonError("SESSION_NOT_FOUND");
    await this.#deps.writer.write([updateSession(id, { deletedMs: null })]);
    return this.get(id);
  }

  async close(reason: string): Promise<void> {
    await Promise.all(this.live.map((session) => session.close(reason)));
  }

  async #takeUp(id: string): Promise<void> {
    const record = findSession(this.#db, id);
    if (!record || record.deletedMs !== null) return;
    const { drafts, writes } = recover(this.#db, record);
    const session = this.#load(
      record.status === SessionStatus.FAILED ? record : { ...record, status: SessionStatus.IDLE },
    );
    await session.journal.say(drafts, writes);
    session.wake();
  }

  #load(record: SessionRecord): Session {
    const waiting = this.#db
      .statement("SELECT id, content FROM prompts WHERE session_id = ? AND state = ? ORDER BY seq")
      .all(record.id, PromptState.QUEUED)
      .map((row): Prompt => {
        const { id, content } = row as { id: string; content: string };
        return { id, content: JSON.parse(content) as MessageContent };
      });
    const session = new Session(this.#deps, record, waiting);
    this.#sessions.set(record.id, session);
    return session;
  }
}
