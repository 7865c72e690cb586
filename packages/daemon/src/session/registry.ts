import { SessionStatus } from "@agentwire/api";
import { within } from "@agentwire/protocol/support";
import { type Boundary, boundary } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import { isWithin } from "../permission/folder-name.ts";
import { copyEvents } from "../store/copy-events.ts";
import type { Database } from "../store/database.ts";
import { waitingPrompts } from "../store/prompt-table.ts";
import { copyTotals } from "../usage/usage-table.ts";
import { holderAt, lastStatus } from "./fork.ts";
import { Reopening } from "./losses.ts";
import type { QueueSize } from "./queue-limits.ts";
import {
  findByKey,
  findByWorktree,
  findSession,
  insertSession,
  newRecord,
  type SessionRecord,
  updateSession,
} from "./record.ts";
import { atRest, inputFree, recover, unfinishedSessions } from "./recovery.ts";
import { Session, type SessionDeps } from "./session.ts";
import type { StoredWorktree } from "./worktree.ts";

/** What a new session is created from. */
export interface NewSession extends Pick<SessionRecord, "title" | "cwd" | "agent" | "model" | "mode"> {
  /** The same key gives the same session. */
  readonly idempotencyKey: string | null;
  /** Creates the worktree that it works in. */
  readonly makeWorktree?: (() => Promise<StoredWorktree>) | undefined;
}

/** How often unused sessions are looked for. */
const SWEEP_MS = 60_000;
/** How long a start waits for a store that accepts no writes. */
const START_MS = 5000;
const COPIED = "it is a copy";

/** What all sessions share. */
type SharedDeps = Omit<SessionDeps, "wholeQueue">;

/** All sessions: the ones in use in memory, the rest in the store. */
export class Registry {
  readonly #deps: SharedDeps;
  readonly #guard: Boundary;
  readonly #sessions = new Map<string, Session>();
  /** Sessions on their way to the disk, by their keys. */
  readonly #creating = new Map<string, Promise<Session>>();
  /** Those that were unused at the last check. */
  #unused: ReadonlySet<Session> = new Set();
  readonly #reopening: Reopening;
  #sweeping: NodeJS.Timeout | undefined;
  #isDraining = false;
  #isClosed = false;

  constructor(deps: SharedDeps) {
    this.#deps = deps;
    this.#guard = boundary((error) => deps.report("daemon", error));
    this.#reopening = new Reopening(deps, this.#guard, {
      isHere: (session) => !this.#isClosed && this.find(session.record.id) === session,
      load: (record) => this.#load(record),
      takeUp: (id) => this.#takeUp(id),
      forget: (session) => this.#forget(session),
    });
  }

  get #db(): Database {
    return this.#deps.db;
  }

  /** The sessions in memory. */
  get live(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Settles what an earlier daemon left open, and continues with the prompts it had accepted. */
  async start(): Promise<void> {
    await within(START_MS, async () => {
      await Promise.all(unfinishedSessions(this.#db).map((id) => this.#takeUp(id)));
    });
    this.#sweeping = setInterval(
      this.#guard(() => this.sweep()),
      SWEEP_MS,
    ).unref();
  }

  /** The session of that id if it is in memory. */
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The session of that id; throws `SESSION_NOT_FOUND`. */
  get(id: string): Session {
    this.#mustBeOpen();
    const known = this.#sessions.get(id);
    if (known) return known;
    const record = findSession(this.#db, id);
    if (!record || record.deletedMs !== null) throw this.#notFound();
    return this.#load(record);
  }

  /** Creates a session; the same key gives the same one, even for two requests at once. */
  async create(wish: NewSession): Promise<Session> {
    this.mustTake();
    const { idempotencyKey: key } = wish;
    if (key === null) return this.#make(wish);
    const creating = this.#creating.get(key);
    if (creating) return creating;
    const known = findByKey(this.#db, key);
    if (known) return this.get(known.id);
    const created = this.#make(wish).finally(() => this.#creating.delete(key));
    this.#creating.set(key, created);
    return created;
  }

  /** Creates a copy with its own history; its first prompt starts its own conversation. */
  async fork(id: string, title: string): Promise<Session> {
    const original = this.get(id);
    const { record } = original;
    if (record.agentSessionId === "")
      throw new DaemonError("INVALID_ARGUMENT", "there is nothing to fork before the first turn");
    const { agentSessionId, firstPrompt } = record;
    const copy = newRecord({ ...record, title: title || record.title, idempotencyKey: null });
    const session = await this.#copy(id, { ...copy, agentSessionId, firstPrompt, forkedFrom: id });
    // The copy may end where the original was running, had failed, or had an input holder.
    const { log } = this.#deps;
    const status = lastStatus(log, copy.id);
    const holder = holderAt(log, id, session.journal.lastSeq, original.facts.record.inputHolder);
    const drafts = [
      ...(holder === "" ? [] : [inputFree(holder, COPIED)]),
      ...(status === SessionStatus.IDLE ? [] : [atRest(status, COPIED)]),
    ];
    if (drafts.length > 0) await session.journal.say(drafts);
    return session;
  }

  /** Soft-deletes a session; it can be restored until it is purged. */
  async remove(id: string): Promise<void> {
    const session = this.get(id);
    await session.close("the session was deleted");
    // It stays in memory, closed, until it can't be loaded again.
    try {
      await this.#deps.writer.write([updateSession(id, { deletedMs: Date.now() })]);
    } catch (error) {
      this.#reopening.lost(session, error);
      throw error;
    }
    this.#forget(session);
  }

  /** Restores a deleted session, and continues with the prompts it had accepted. */
  async restore(id: string): Promise<Session> {
    this.#mustBeOpen();
    const record = findSession(this.#db, id);
    if (!record) throw this.#notFound();
    await this.#deps.writer.write([updateSession(id, { deletedMs: null })]);
    const session = this.get(id);
    session.wake();
    return session;
  }

  /** The rules have changed: open questions that they now decide are settled, and agents are told. */
  async reconsider(): Promise<void> {
    await Promise.all(this.live.map((session) => session.reconsider()));
  }

  /** A folder is trusted now: sessions in it continue with a new process. */
  async renew(folder: string): Promise<void> {
    const there = this.live.filter(({ record }) => isWithin(record.cwd, folder));
    await Promise.all(there.map((session) => session.renew()));
  }

  /** Continues what was waiting for a budget. */
  afford(): void {
    for (const session of this.live) session.afford();
  }

  /** Unloads sessions that were not used since the last check: everything is in the store. */
  sweep(): void {
    // A new day has a new budget.
    this.afford();
    for (const session of this.live) session.tidy();
    const unused = this.live.filter(({ isUnused }) => isUnused);
    for (const session of unused.filter((one) => this.#unused.has(one))) {
      this.#forget(session);
      session.journal.close("the session was idle");
    }
    this.#unused = new Set(unused);
  }

  /** Takes no more prompts, and waits a limited time for running turns to finish; a signal ends the wait. */
  async drain(limitMs: number, hurry?: AbortSignal): Promise<void> {
    this.#isDraining = true;
    const ended = Promise.all(this.live.map((session) => session.drain()));
    await within(limitMs, async () => {
      await Promise.race([ended, ...(hurry ? [fired(hurry)] : [])]);
    });
  }

  /** Throws if the daemon is shutting down. */
  mustTake(): void {
    if (this.#isDraining || this.#isClosed) throw new DaemonError("SHUTTING_DOWN");
  }

  async close(reason: string): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    await Promise.all([this.#deps.runner.close(), ...this.live.map((session) => session.close(reason))]);
  }

  /** If the store can't be read, the session may exist: that error is reported instead. */
  #notFound(): Error {
    return this.#deps.writer.failure ?? new DaemonError("SESSION_NOT_FOUND");
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new DaemonError("SHUTTING_DOWN");
  }

  /** A copy is marked as deleted until it is complete: an interrupted one is purged like any deleted session. */
  async #copy(from: string, record: SessionRecord): Promise<Session> {
    const { writer } = this.#deps;
    this.#mustBeOpen();
    await writer.write([insertSession({ ...record, deletedMs: record.createdMs })]);
    await copyEvents(this.#db, writer, from, record.id);
    await writer.write([copyTotals(from, record.id), updateSession(record.id, { deletedMs: null })]);
    return this.#begin(record);
  }

  async #make(wish: NewSession): Promise<Session> {
    const worktree = await wish.makeWorktree?.();
    if (!worktree) return this.#create(newRecord(wish));
    const taken = findByWorktree(this.#db, worktree.path);
    if (taken)
      throw new DaemonError(
        "INVALID_ARGUMENT",
        `worktree: ${worktree.name} belongs to the session ${taken.id}: continue that one, or choose another name`,
      );
    return this.#create({ ...newRecord(wish), cwd: worktree.path, worktree: JSON.stringify(worktree) });
  }

  async #create(record: SessionRecord): Promise<Session> {
    this.#mustBeOpen();
    await this.#deps.writer.write([insertSession(record)]);
    return this.#begin(record);
  }

  #begin(record: SessionRecord): Session {
    this.#mustBeOpen();
    const session = this.#load(record);
    this.#deps.runner.expect(record);
    return session;
  }

  async #takeUp(id: string): Promise<void> {
    const record = findSession(this.#db, id);
    if (!record || record.deletedMs !== null) return;
    await this.#load(record).takeUp(recover(this.#db, record));
  }

  #load(record: SessionRecord): Session {
    const waiting = waitingPrompts(this.#db, record.id);
    const deps = { ...this.#deps, wholeQueue: () => this.#wholeQueue() };
    const session: Session = new Session(deps, record, waiting, (error) =>
      this.#reopening.lost(session, error),
    );
    this.#sessions.set(record.id, session);
    return session;
  }

  /** Every session with queued prompts is in memory. */
  #wholeQueue(): QueueSize {
    let prompts = 0;
    let bytes = 0;
    for (const { queueSize } of this.#sessions.values()) {
      prompts += queueSize.prompts;
      bytes += queueSize.bytes;
    }
    return { prompts, bytes };
  }

  #forget(session: Session): void {
    if (this.find(session.record.id) === session) this.#sessions.delete(session.record.id);
  }
}

const fired = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
