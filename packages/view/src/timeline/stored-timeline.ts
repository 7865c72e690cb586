import type { ListEventsResponse } from "@agentwire/api";
import type { Item } from "./item.ts";
import { Timeline } from "./timeline.ts";

const PAGE = 1000;

/** Where stored events come from: the session service of a daemon. */
interface StoredEvents {
  listEvents(page: {
    readonly sessionId: string;
    readonly fromSeq: bigint;
    readonly pageSize: number;
  }): Promise<ListEventsResponse>;
}

/** The timeline of all stored events of a session. */
export async function storedTimeline(sessions: StoredEvents, sessionId: string): Promise<readonly Item[]> {
  const timeline = new Timeline();
  let items: readonly Item[] = [];
  for (let fromSeq = 0n, hasMore = true; hasMore; ) {
    const { events, more } = await sessions.listEvents({ sessionId, fromSeq, pageSize: PAGE });
    items = timeline.add(events);
    hasMore = more;
    fromSeq = events.at(-1)?.seq ?? fromSeq;
  }
  return items;
}
