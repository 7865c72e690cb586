import { SessionStatus } from "@agentwire/api";
import type { Boundary } from "../boundary.ts";
import type { Session, SessionDeps } from "./session.ts";

/** How long a failed session is left alone the first time. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** Failures in a row after which a session is no longer reopened. */
const MAX_LOSSES = 5;
/** A failure that comes this long after the last one counts as a new one. */
const FORGET_MS = 10 * 60_000;

interface Loss {
  readonly count: number;
  readonly atMs: number;
}

/** How often each session has failed, and when it is reopened next. */
export class Losses {
  readonly #losses = new Map<string, Loss>();

  /** How long to leave a session alone; undefined when it has failed too often in a row. */
  next(id: string, nowMs: number, isStoreIll: boolean): number | undefined {
    for (const [known, { atMs }] of this.#losses) if (nowMs - atMs > FORGET_MS) this.#losses.delete(known);
    const before = this.#losses.get(id)?.count ?? 0;
    // While the store accepts no writes at all, the session is not at fault.
    const count = isStoreIll ? Math.min(before + 1, MAX_LOSSES - 1) : before + 1;
    this.#losses.set(id, { count, atMs: nowMs });
    return count >= MAX_LOSSES ? undefined : Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS);
  }
}

/** What reopening needs from the sessions in memory. */
interface OpenSessions {
  /** Whether this object still represents its session, in a running daemon. */
  isHere(session: Session): boolean;
  /** Loads a session; undefined if it no longer exists. */
  load(id: string): Promise<Session | undefined>;
  /** Loads a session, and continues with the prompts it had accepted. */
  takeUp(id: string): Promise<void>;
  forget(session: Session): void;
}

/** Reopens failed sessions from the store, and gives up on those that keep failing. */
export class Reopening {
  readonly #deps: Pick<SessionDeps, "store" | "report">;
  readonly #guard: Boundary;
  readonly #sessions: OpenSessions;
  readonly #losses = new Losses();
  /** Sessions that have failed. */
  readonly #lostNow = new WeakSet<Session>();

  constructor(deps: Pick<SessionDeps, "store" | "report">, guard: Boundary, sessions: OpenSessions) {
    this.#deps = deps;
    this.#guard = guard;
    this.#sessions = sessions;
  }

  /** A write has failed for good, or the daemon has a bug: the session ends, and is reopened after a while. */
  lost(session: Session, error: unknown): void {
    this.#guard(() => this.#end(session, error))();
  }

  async #end(session: Session, error: unknown): Promise<void> {
    const { id } = session.record;
    if (this.#lostNow.has(session)) return;
    this.#lostNow.add(session);
    await session
      .close("the session failed and is reopened from the store")
      .catch((failure: unknown) => this.#deps.report("session", failure, { session_id: id }));
    if (!this.#sessions.isHere(session)) return;
    const delayMs = this.#losses.next(id, performance.now(), this.#deps.store.illness !== undefined);
    if (delayMs !== undefined) return this.#reopenIn(delayMs, session);
    this.#sessions.forget(session);
    await this.#giveUp(id, error);
  }

  #reopenIn(delayMs: number, session: Session): void {
    const again = async () => {
      if (!this.#sessions.isHere(session)) return;
      // If a write fails then, the new session fails and is reopened.
      const isRead = await this.#sessions.takeUp(session.record.id).then(
        () => true,
        () => false,
      );
      if (!this.#sessions.isHere(session)) return;
      if (isRead) this.#sessions.forget(session);
      else this.#reopenIn(delayMs, session);
    };
    setTimeout(this.#guard(again), delayMs).unref();
  }

  /** It keeps failing: it stays failed until it gets a prompt, or the daemon is restarted. */
  async #giveUp(id: string, error: unknown): Promise<void> {
    const session = await this.#sessions.load(id);
    if (!session) return;
    const cause = error instanceof Error ? error.message : String(error);
    this.#lostNow.add(session);
    try {
      await session.fail(`it failed each time it was reopened (${cause}); send a prompt to try again`);
      this.#lostNow.delete(session);
    } catch {
      // If not even that can be stored, it must not be loaded again before its failure is written.
      try {
        await this.#deps.store.write([
          { type: "changeSession", id, changes: { status: SessionStatus.FAILED } },
        ]);
      } finally {
        this.#sessions.forget(session);
        await session.close("the session failed");
      }
    }
  }
}
