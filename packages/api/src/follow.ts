import type { Event } from "./generated/agentwire/v1/event_pb.ts";
import type { Gap, Notice, WatchResponse } from "./generated/agentwire/v1/watch_pb.ts";

/** What is reported while following a session. */
export type News =
  | { readonly type: "events"; readonly events: readonly Event[] }
  | { readonly type: "gap"; readonly gap: Gap }
  /** A notice, such as that the client reads too slowly, or that the history is a different one (`restored`). */
  | { readonly type: "notice"; readonly notice: Notice }
  /** Everything that was stored when we connected or reconnected has been delivered. */
  | { readonly type: "caught_up" }
  /** The connection is lost and is being retried. */
  | { readonly type: "lost" };

/** The part of a client that is needed to follow a session. */
export interface Watcher {
  watch(
    request: { readonly sessionId: string; readonly afterSeq: bigint },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<WatchResponse>;
}

/** What to follow, and how long to retry while the daemon is gone. */
export interface FollowOptions {
  readonly sessionId: string;
  /** Only events after this number are wanted; 0 for all. */
  readonly afterSeq: bigint;
  /** Forever by default. */
  readonly patienceMs?: number;
  /**
   * Whether an error is permanent, so that retrying is useless; `isAgain` is set if the connection was
   * already lost before.
   */
  readonly isFinal: (error: unknown, isAgain: boolean) => boolean;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

/**
 * Follows a session from a number on, across restarts of the daemon, without gaps or duplicates. Ends when
 * the signal is aborted; throws if the daemon is gone for too long, or if an error is permanent.
 */
export async function* follow(
  sessions: Watcher,
  { sessionId, afterSeq, patienceMs = Number.POSITIVE_INFINITY, isFinal }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<News, void, undefined> {
  let last = afterSeq;
  let delay = FIRST_DELAY_MS;
  let lostAt: number | undefined;
  while (!signal.aborted) {
    // Breaking out of the loop over a stream does not end the call.
    const left = new AbortController();
    const watched = { signal: AbortSignal.any([signal, left.signal]) };
    try {
      for await (const response of sessions.watch({ sessionId, afterSeq: last }, watched)) {
        const { events, gap, notice, caughtUp } = response;
        lostAt = undefined;
        delay = FIRST_DELAY_MS;
        // The new history is numbered from the start.
        if (notice?.code === "restored") last = 0n;
        if (notice && notice.code !== "evicted") yield { type: "notice", notice };
        if (gap) {
          last = gap.toSeq > last ? gap.toSeq : last;
          yield { type: "gap", gap };
        }
        const fresh = events.filter(({ seq }) => seq > last);
        last = fresh.at(-1)?.seq ?? last;
        if (fresh.length > 0) yield { type: "events", events: fresh };
        if (caughtUp) yield { type: "caught_up" };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error, lostAt !== undefined)) throw error;
      if (lostAt !== undefined && Date.now() - lostAt > patienceMs) throw error;
    } finally {
      left.abort();
    }
    if (signal.aborted) return;
    if (lostAt === undefined) yield { type: "lost" };
    lostAt ??= Date.now();
    await pause(delay, signal);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
