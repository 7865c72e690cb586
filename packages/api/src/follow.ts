import type { Event } from "./generated/agentwire/v1/event_pb.ts";
import type { Gap, Notice, WatchResponse } from "./generated/agentwire/v1/watch_pb.ts";

/** What happens while a session is followed. */
export type News =
  | { readonly type: "events"; readonly events: readonly Event[] }
  | { readonly type: "gap"; readonly gap: Gap }
  /** A client that reads too slowly, or a history that is another one: `restored`. */
  | { readonly type: "notice"; readonly notice: Notice }
  /** Everything that was stored when we came, or came back, has been seen. */
  | { readonly type: "caught_up" }
  /** The connection is gone; it is being tried again. */
  | { readonly type: "lost" };

/** The part of a client that a session is followed with. */
export interface Watcher {
  watch(
    request: { readonly sessionId: string; readonly afterSeq: bigint },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<WatchResponse>;
}

/** What to follow, and for how long to look for a daemon that is gone. */
export interface FollowOptions {
  readonly sessionId: string;
  /** The last number that is not wanted; 0 for all. */
  readonly afterSeq: bigint;
  /** For ever unless said otherwise. */
  readonly patienceMs?: number;
  /** Whether trying again won't change an error; `isAgain` says that the connection was gone already. */
  readonly isFinal: (error: unknown, isAgain: boolean) => boolean;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

/**
 * Follows a session from a number on, across restarts of the daemon, without a hole or a double. Ends when the signal fires;
 * throws when the daemon stays away for too long, or has an answer that trying again won't change.
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
    // Leaving the loop over a stream does not end the call.
    const left = new AbortController();
    const watched = { signal: AbortSignal.any([signal, left.signal]) };
    try {
      for await (const response of sessions.watch({ sessionId, afterSeq: last }, watched)) {
        const { events, gap, notice, caughtUp } = response;
        lostAt = undefined;
        delay = FIRST_DELAY_MS;
        // What is new counts from another number.
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
