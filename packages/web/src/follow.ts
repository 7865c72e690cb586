import type { Event, Gap } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "./client.ts";

/** What happens while a session is followed. */
export type News =
  | { readonly type: "events"; readonly events: readonly Event[] }
  | { readonly type: "gap"; readonly gap: Gap }
  /** We read more slowly than the session speaks. */
  | { readonly type: "slow" }
  /** A backup was restored: what we have is of another history, and we end here. */
  | { readonly type: "restored" }
  /** Everything that was stored when we came, or came back, has been seen. */
  | { readonly type: "caught_up" }
  /** The connection is gone; it is being tried again. */
  | { readonly type: "lost" };

const FIRST_DELAY_MS = 150;
const LONGEST_DELAY_MS = 3000;

/**
 * Follows a session from a number on, across restarts of the daemon, without a hole or a double. Ends when the signal fires; throws
 * when the daemon has an answer that trying again won't change.
 */
export async function* follow(
  { sessions }: Pick<Client, "sessions">,
  sessionId: string,
  afterSeq: bigint,
  signal: AbortSignal,
): AsyncGenerator<News> {
  let last = afterSeq;
  let delay = FIRST_DELAY_MS;
  for (;;) {
    try {
      for await (const { events, gap, notice, caughtUp } of sessions.watch(
        { sessionId, afterSeq: last },
        { signal },
      )) {
        delay = FIRST_DELAY_MS;
        if (notice?.code === "restored") {
          yield { type: "restored" };
          return;
        }
        if (gap) {
          last = gap.toSeq > last ? gap.toSeq : last;
          yield { type: "gap", gap };
        }
        const fresh = events.filter(({ seq }) => seq > last);
        last = fresh.at(-1)?.seq ?? last;
        if (notice && notice.code !== "evicted") yield { type: "slow" };
        if (fresh.length > 0) yield { type: "events", events: fresh };
        if (caughtUp) yield { type: "caught_up" };
      }
    } catch (error) {
      if (!signal.aborted && isFinal(error)) throw error;
    }
    if (signal.aborted) return;
    yield { type: "lost" };
    await pause(delay, signal);
    if (signal.aborted) return;
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

const FINAL: ReadonlySet<Code> = new Set([Code.NotFound, Code.Unauthenticated, Code.PermissionDenied]);

const isFinal = (error: unknown) => error instanceof ConnectError && FINAL.has(error.code);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
