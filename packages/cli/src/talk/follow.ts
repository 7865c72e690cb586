import { setTimeout } from "node:timers/promises";
import type { Event, Gap, Notice } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "./client.ts";
import { isGone } from "./rpc-error.ts";

/** What happens while a session is followed. */
export type News =
  | { readonly type: "events"; readonly events: readonly Event[] }
  | { readonly type: "gap"; readonly gap: Gap }
  | { readonly type: "notice"; readonly notice: Notice }
  /** Everything that was stored when we came, or came back, has been seen. */
  | { readonly type: "caught_up" }
  /** The connection is gone; it is being tried again. */
  | { readonly type: "lost" };

/** What to follow, and for how long to look for a daemon that is gone. */
export interface FollowOptions {
  readonly sessionId: string;
  /** The last number that is not wanted; 0 for all. */
  readonly afterSeq: bigint;
  readonly patienceMs: number;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

/**
 * Follows a session from a number on, across restarts of the daemon, without a hole or a double. Ends when the signal fires;
 * throws when the daemon stays away for too long, or has an answer that trying again won't change.
 */
export async function* follow(
  { sessions }: Pick<Client, "sessions">,
  { sessionId, afterSeq, patienceMs }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<News> {
  let last = afterSeq;
  let delay = FIRST_DELAY_MS;
  let lostAt: number | undefined;
  for (;;) {
    try {
      for await (const { events, gap, notice, caughtUp } of sessions.watch(
        { sessionId, afterSeq: last },
        { signal },
      )) {
        lostAt = undefined;
        delay = FIRST_DELAY_MS;
        // What is new counts from another number.
        if (notice?.code === "restored") last = 0n;
        if (gap) {
          last = gap.toSeq > last ? gap.toSeq : last;
          yield { type: "gap", gap };
        }
        const fresh = events.filter(({ seq }) => seq > last);
        last = fresh.at(-1)?.seq ?? last;
        if (fresh.length > 0) yield { type: "events", events: fresh };
        if (notice && notice.code !== "evicted") yield { type: "notice", notice };
        if (caughtUp) yield { type: "caught_up" };
      }
    } catch (error) {
      if (signal.aborted) return;
      const isAgain = lostAt !== undefined;
      if (!isGone(error) && (isAgain || !isBroken(error))) throw error;
      if (isAgain && Date.now() - Number(lostAt) > patienceMs) throw error;
    }
    if (signal.aborted) return;
    if (lostAt === undefined) yield { type: "lost" };
    lostAt ??= Date.now();
    await setTimeout(delay, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

const BROKEN: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.Canceled, Code.InvalidArgument]);

/** A connection that breaks in the middle is told in several ways, but never with a code of the daemon's. */
function isBroken(error: unknown): boolean {
  return error instanceof ConnectError && BROKEN.has(error.code) && !/^[A-Z_]+: /.test(error.rawMessage);
}
