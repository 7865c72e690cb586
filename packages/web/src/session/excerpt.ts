import type { Event } from "@agentwire/api";
import type { Item } from "@agentwire/view/timeline";
import { Timeline } from "@agentwire/view/timeline";

/** How many events one request loads. */
export const PAGE = 200;
/** How many events are kept at once; beyond that, the far end is dropped, and loaded again when it is scrolled to. */
const MOST = 3 * PAGE;

/** The loaded part of a session's history; it moves as the user scrolls. */
export interface Excerpt {
  readonly items: readonly Item[];
  readonly hasOlder: boolean;
  /** Whether later events exist that are not loaded. */
  readonly hasNewer: boolean;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly events: readonly Event[];
  readonly timeline: Timeline;
}

/** An excerpt of consecutive events. */
export function newExcerpt(events: readonly Event[], hasOlder: boolean, hasNewer: boolean): Excerpt {
  const timeline = new Timeline();
  return { ...bounds(events), items: timeline.add(events), timeline, events, hasOlder, hasNewer };
}

/** The excerpt with an older page added. */
export function withOlder(excerpt: Excerpt, page: readonly Event[], more: boolean): Excerpt {
  const [kept, rest] = cutAfter([...page, ...excerpt.events]);
  return newExcerpt(kept, more, excerpt.hasNewer || rest);
}

/** The excerpt with a newer page added. */
export function withNewer(excerpt: Excerpt, page: readonly Event[], more: boolean): Excerpt {
  const [kept, rest] = cutBefore([...excerpt.events, ...page]);
  return newExcerpt(kept, excerpt.hasOlder || rest, more);
}

/** The excerpt with live events added; unchanged if it does not reach the end of the history. */
export function withLive(excerpt: Excerpt, events: readonly Event[]): Excerpt {
  if (excerpt.hasNewer) return excerpt;
  const fresh = events.filter(({ seq }) => Number(seq) > excerpt.lastSeq);
  if (fresh.length === 0) return excerpt;
  const all = [...withoutSuperseded(excerpt.events, fresh), ...fresh];
  // Drops events in large batches, since each drop rebuilds the timeline.
  if (weight(all) > MOST + PAGE) {
    const [kept, rest] = cutBefore(all);
    return newExcerpt(kept, excerpt.hasOlder || rest, false);
  }
  return { ...excerpt, ...bounds(all), items: excerpt.timeline.add(fresh), events: all };
}

const DELTAS: ReadonlySet<string | undefined> = new Set([
  "textDelta",
  "thinkingDelta",
  "toolInputDelta",
  "toolOutputDelta",
]);
const isDelta = ({ body }: Event) => DELTAS.has(body.case);

/** Removes the deltas that a finished message replaces; the store has dropped them as well. */
function withoutSuperseded(events: readonly Event[], fresh: readonly Event[]): readonly Event[] {
  const finished = new Set(fresh.filter(({ supersedesFrom }) => supersedesFrom > 0n).map(replyOf));
  return finished.size === 0
    ? events
    : events.filter((event) => !isDelta(event) || !finished.has(replyOf(event)));
}

/** A key for what a delta is part of: a reply or the output of a call. A finished message has the same key as its deltas. */
function replyOf({ parentToolUseId, body }: Event): string {
  if (body.case === "toolOutputDelta" || body.case === "toolCallResult")
    return `output ${body.value.toolUseId}`;
  return `${parentToolUseId} ${body.value && "messageId" in body.value ? body.value.messageId : ""}`;
}

/** Deltas count as nothing, so that a long reply does not push out its own beginning. */
const weight = (events: readonly Event[]) => events.reduce((sum, event) => sum + (isDelta(event) ? 0 : 1), 0);

/** The first events up to the limit, and whether any were cut. */
function cutAfter(events: readonly Event[]): readonly [readonly Event[], boolean] {
  let left = MOST;
  const end = events.findIndex((event) => !isDelta(event) && --left < 0);
  return end < 0 ? [events, false] : [events.slice(0, end), true];
}

/** The last events up to the limit, and whether any were cut. */
function cutBefore(events: readonly Event[]): readonly [readonly Event[], boolean] {
  let left = MOST;
  const start = events.findLastIndex((event) => !isDelta(event) && --left < 0);
  return start < 0 ? [events, false] : [events.slice(start + 1), true];
}

const bounds = (events: readonly Event[]) => ({
  firstSeq: Number(events[0]?.seq ?? 0n),
  lastSeq: Number(events.at(-1)?.seq ?? 0n),
});
