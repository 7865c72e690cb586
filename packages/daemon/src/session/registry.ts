import { within } from "@agentwire/protocol/support";
import { type Boundary, boundary } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import { isWithin } from "../permission/folder-name.ts";
import type { Draft } from "../store/draft.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store, StoredSession } from "../store/store.ts";
import type { AdoptedPart } from "./adopted-history.ts";
import { Creation, type NewSession } from "./creation.ts";
import { Reopening } from "./losses.ts";
import type { QueueSize } from "./queue-limits.ts";
import { recover } from "./recovery.ts";
import { Session, type SessionDeps } from "./session.ts";

/** How often unused sessions are unloaded. */
const SWEEP_MS = 60_000;
/** How long a start waits for a store that accepts no writes. */
const START_MS = 5000;

/** The dependencies that all sessions share. */
interface SharedDeps extends Omit<SessionDeps, "wholeQueue"> {
  /** Prepares what a session needs before it is loaded; resolves with notices for its log. */
  readonly prepare: (id: string) => Promise<readonly Draft[]>;
}
/** Continues a loaded session; resolves when that is stored. */
type Resume = (session: Session, stored: StoredSession) => Promise<void>;

/** All sessions: the ones in use in memory, the rest in the store. */
export class Registry {
  readonly #deps: SharedDeps;
  readonly #guard: Boundary;
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are being loaded, by id. */
  readonly #loading = new Map<string, Promise<Loaded | undefined>>();
  /** How often all sessions were abandoned: anything read before that may belong to another node by now. */
  #abandoned = 0;
  readonly #creation: Creation;
  /** Sessions that are moving to another node. */
  readonly #leaving = new Set<string>();
  /** The sessions that were unused at the last check. */
  #unused: ReadonlySet<Session> = new Set();
  readonly #reopening: Reopening;
  #sweeping: NodeJS.Timeout | undefined;
  #isDraining = false;
  #isClosed = false;

  constructor(deps: SharedDeps) {
    this.#deps = deps;
    this.#guard = boundary((error) => deps.report("daemon", error));
    this.#creation = new Creation(deps, {
      get: (id) => this.get(id),
      restore: (id) => this.restore(id),
      mustBeOpen: () => this.#mustBeOpen(),
    });
    this.#reopening = new Reopening(deps, this.#guard, {
      isHere: (session) => !this.#isClosed && this.find(session.record.id) === session,
      load: (id) => this.#load(id, async () => {}),
      takeUp: (id) => this.#takeUp(id),
      forget: (session) => this.#forget(session),
    });
  }

  get #store(): Store {
    return this.#deps.store;
  }

  /** The sessions in memory. */
  get live(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Settles what an earlier daemon left open, and continues with the prompts it had accepted. */
  async start(): Promise<void> {
    await this.takeUp(await this.#store.sessions.unfinished());
    this.#sweeping ??= setInterval(
      this.#guard(() => this.sweep()),
      SWEEP_MS,
    ).unref();
  }

  /** Continues sessions left by an earlier daemon or another node; those in memory continue anyway. */
  async takeUp(ids: readonly string[]): Promise<void> {
    await within(START_MS, async () => {
      const left = ids.filter((id) => !this.find(id) && !this.#leaving.has(id));
      await Promise.all(left.map((id) => this.#takeUp(id)));
    });
  }

  /** Ends a session here after its turn, and runs `act` before it can be loaded again. */
  async release<T>(id: string, act: (record: SessionRecord) => Promise<T>): Promise<T> {
    const session = await this.get(id);
    this.#leaving.add(id);
    try {
      await session.drain();
      await this.#abandon(session, "it moves to another node");
      return await act(session.record);
    } finally {
      this.#leaving.delete(id);
    }
  }

  /** Ends all sessions immediately and writes nothing more: they may already continue elsewhere. */
  async abandon(reason: string): Promise<void> {
    this.#abandoned++;
    await Promise.all(this.live.map((session) => this.#abandon(session, reason)));
  }

  /** The session of that id if it is in memory. */
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The session of that id; rejects with `SESSION_NOT_FOUND`. */
  async get(id: string): Promise<Session> {
    this.#mustBeOpen();
    if (this.#leaving.has(id)) throw new DaemonError("SESSION_ELSEWHERE");
    const session = this.#sessions.get(id) ?? (await this.#load(id));
    if (!session) throw await this.#notFound(id);
    return session;
  }

  /** Creates a session; the same key gives the same one, even for two requests at once. */
  async create(wish: NewSession): Promise<Session> {
    this.mustTake();
    return this.#creation.create(wish);
  }

  /** Creates a copy with its own history, up to a prompt if one is given; its first prompt starts its own conversation. */
  async fork(id: string, title: string, beforePrompt = ""): Promise<Session> {
    return this.#creation.fork(id, title, beforePrompt);
  }

  /** Creates a session of a conversation that another program has held; the same key gives the same session. */
  async adopt(record: SessionRecord, key: string, history: Iterable<AdoptedPart>): Promise<Session> {
    this.mustTake();
    return this.#creation.adopt(record, key, history);
  }

  /** Soft-deletes a session; it can be restored until it is purged. */
  async remove(id: string): Promise<void> {
    const session = await this.get(id);
    await session.close("the session was deleted");
    // It stays in memory, closed, until it can't be loaded again.
    try {
      await this.#store.write([{ type: "changeSession", id, changes: { deletedMs: Date.now() } }]);
    } catch (error) {
      this.#reopening.lost(session, error);
      throw error;
    }
    this.#forget(session);
  }

  /** Restores a deleted session, and continues with the prompts it had accepted. */
  async restore(id: string): Promise<Session> {
    this.#mustBeOpen();
    if (!(await this.#store.sessions.find(id))) throw await this.#notFound(id);
    await this.#store.write([{ type: "changeSession", id, changes: { deletedMs: null } }]);
    const session = await this.get(id);
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
  async #notFound(id: string): Promise<Error> {
    const { nodes, failure } = this.#store;
    if (failure) return failure;
    const owner = (await nodes?.ownership(id))?.owner;
    const isElsewhere = owner !== undefined && owner !== nodes?.id;
    return new DaemonError(isElsewhere ? "SESSION_ELSEWHERE" : "SESSION_NOT_FOUND");
  }

  async #abandon(session: Session, reason: string): Promise<void> {
    this.#forget(session);
    await session.close(reason);
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new DaemonError("SHUTTING_DOWN");
  }

  async #takeUp(id: string): Promise<void> {
    await (await this.#loaded(id))?.told;
  }

  async #load(id: string, resume?: Resume): Promise<Session | undefined> {
    return (await this.#loaded(id, resume))?.session;
  }

  /** Loads a session once, even for concurrent requests. Undefined if it does not exist or is deleted. */
  #loaded(id: string, resume: Resume = takeUp): Promise<Loaded | undefined> {
    const loading = this.#loading.get(id) ?? this.#read(id, resume).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  /** The first request for a session settles what an earlier daemon left open: no process of this daemon runs it. */
  async #read(id: string, resume: Resume): Promise<Loaded | undefined> {
    const abandoned = this.#abandoned;
    const { nodes, failure } = this.#store;
    // Another node may already run it.
    if (nodes && failure) throw failure;
    const notes = await this.#deps.prepare(id);
    const stored = await this.#store.sessions.load(id);
    if (!stored || stored.record.deletedMs !== null) return undefined;
    this.#mustBeOpen();
    if (abandoned !== this.#abandoned) throw new DaemonError("SESSION_ELSEWHERE");
    const deps = { ...this.#deps, wholeQueue: () => this.#wholeQueue() };
    const session: Session = new Session(deps, stored, (error) => this.#reopening.lost(session, error));
    this.#sessions.set(id, session);
    if (notes.length > 0) void session.journal.say(notes, []).catch(() => {});
    const told = resume(session, stored);
    // The journal reports a write that fails for good; not every caller waits for it.
    told.catch(() => {});
    return { session, told };
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

/** A session in memory; `told` resolves when everything that was left open is settled in the store. */
interface Loaded {
  readonly session: Session;
  readonly told: Promise<void>;
}

const takeUp: Resume = (session, stored) => session.takeUp(recover(stored));

const fired = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
