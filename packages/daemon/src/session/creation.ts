import { DaemonError } from "../errors.ts";
import { newRecord, type SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";
import { type AdoptedPart, keepAdopted } from "./adopted-history.ts";
import { endOfCopy, leftOut } from "./fork.ts";
import { backTo, rewindPoint } from "./rewind-point.ts";
import type { Session, SessionDeps } from "./session.ts";
import type { StoredWorktree } from "./worktree.ts";

/** What a new session is created from. */
export interface NewSession
  extends Pick<SessionRecord, "title" | "cwd" | "agent" | "model" | "mode" | "effort"> {
  /** The same key gives the same session. */
  readonly idempotencyKey: string | null;
  /** Prepares its folder; resolves with the worktree that it works in, if it gets one. */
  readonly prepare?: () => Promise<StoredWorktree | undefined>;
  /** Sends the first prompt, if it comes with one; repeated for a session that the key already names. */
  readonly begin?: ((session: Session) => Promise<unknown>) | undefined;
}

/** Where sessions are once they are stored. */
interface Sessions {
  get(id: string): Promise<Session>;
  restore(id: string): Promise<Session>;
  /** Throws once the daemon has closed them. */
  mustBeOpen(): void;
}

/** The ways in which a session comes into being: new, as a copy of another, or with a conversation of another program. */
export class Creation {
  readonly #store: Store;
  readonly #runner: SessionDeps["runner"];
  readonly #sessions: Sessions;
  /** Sessions on their way to the disk, by their keys. */
  readonly #creating = new Map<string, Promise<Session>>();

  constructor({ store, runner }: Pick<SessionDeps, "store" | "runner">, sessions: Sessions) {
    this.#store = store;
    this.#runner = runner;
    this.#sessions = sessions;
  }

  /** Creates one; the same key gives the same one, even for two requests at once. */
  async create(wish: NewSession): Promise<Session> {
    const { idempotencyKey: key } = wish;
    if (key === null) return this.#make(wish);
    const creating = this.#creating.get(key);
    if (creating) return creating;
    const created = this.#makeOnce(wish, key).finally(() => this.#creating.delete(key));
    this.#creating.set(key, created);
    return created;
  }

  /** Creates a copy with its own history, up to a prompt if one is given; its first prompt starts its own conversation. */
  async fork(id: string, title: string, beforePrompt: string): Promise<Session> {
    const original = await this.#sessions.get(id);
    const { record } = original;
    const { agentSessionId, firstPrompt, resumeAt } = record;
    if (agentSessionId === "")
      throw new DaemonError("INVALID_ARGUMENT", "a session can't be forked before its first turn");
    const point = beforePrompt === "" ? undefined : await rewindPoint(this.#store.events, id, beforePrompt);
    const copy = {
      ...newRecord({ ...record, title: title || record.title, idempotencyKey: null }),
      ...(point ? backTo(point, record) : { agentSessionId, resumeAt }),
    };
    const session = await this.#copy(id, { ...copy, firstPrompt, forkedFrom: id }, point?.copyBefore);
    const { events } = this.#store;
    const end = await endOfCopy(events, original.facts.record, copy.id, session.journal.lastSeq);
    const drafts = [...(point?.waiting ?? []).map(leftOut), ...end];
    if (drafts.length > 0) await session.journal.say(drafts);
    return session;
  }

  /** Creates a session of a conversation that another program has held; the same key gives the same session. */
  async adopt(record: SessionRecord, key: string, history: Iterable<AdoptedPart>): Promise<Session> {
    const adopting = this.#creating.get(key) ?? this.#adopt(record, key, history);
    this.#creating.set(key, adopting);
    return adopting.finally(() => this.#creating.delete(key));
  }

  /** A copy is marked as deleted until it is complete: an interrupted one is purged like any deleted session. */
  async #copy(from: string, record: SessionRecord, before?: number): Promise<Session> {
    const { id, createdMs } = record;
    this.#sessions.mustBeOpen();
    await this.#store.write([{ type: "addSession", record: { ...record, deletedMs: createdMs } }]);
    await this.#store.copyHistory(from, id, before);
    await this.#store.write([
      { type: "copyTotals", from, to: id },
      { type: "changeSession", id, changes: { deletedMs: null } },
    ]);
    return this.#begin(record);
  }

  async #adopt(record: SessionRecord, key: string, history: Iterable<AdoptedPart>): Promise<Session> {
    const known = await this.#store.sessions.findByKey(key);
    if (known)
      return known.deletedMs === null ? this.#sessions.get(known.id) : this.#sessions.restore(known.id);
    await keepAdopted(this.#store, record, key, history);
    return this.#sessions.get(record.id);
  }

  async #makeOnce(wish: NewSession, key: string): Promise<Session> {
    const { sessions } = this.#store;
    const known = await sessions.findByKey(key);
    if (known) return this.#continued(known.id, wish);
    try {
      return await this.#make(wish);
    } catch (error) {
      // Another node may have created it meanwhile.
      const other = this.#store.nodes && (await sessions.findByKey(key));
      if (!other) throw error;
      return this.#continued(other.id, wish);
    }
  }

  async #continued(id: string, { begin }: NewSession): Promise<Session> {
    const session = await this.#sessions.get(id);
    await begin?.(session);
    return session;
  }

  async #make(wish: NewSession): Promise<Session> {
    const worktree = await wish.prepare?.();
    if (!worktree) return this.#create(newRecord(wish), wish);
    const taken = await this.#store.sessions.findByWorktree(worktree.path);
    if (taken)
      throw new DaemonError(
        "INVALID_ARGUMENT",
        `worktree: ${worktree.name} belongs to the session ${taken.id}: continue that one, or choose another name`,
      );
    const record = { ...newRecord(wish), cwd: worktree.path, worktree: JSON.stringify(worktree) };
    return this.#create(record, wish);
  }

  async #create(record: SessionRecord, { begin }: NewSession): Promise<Session> {
    this.#sessions.mustBeOpen();
    // The agent gets ready while session and prompt are written to disk.
    const endUnused = begin ? this.#runner.startEarly(record) : () => {};
    try {
      await this.#store.write([{ type: "addSession", record }]);
      if (!begin) return await this.#begin(record);
      const session = await this.#sessions.get(record.id);
      await begin(session);
      return session;
    } finally {
      endUnused();
    }
  }

  async #begin(record: SessionRecord): Promise<Session> {
    const session = await this.#sessions.get(record.id);
    this.#runner.expect(record);
    return session;
  }
}
