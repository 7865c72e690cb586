import type { Event } from "@agentwire/api";
import type { Item } from "@agentwire/view/timeline";
import { Timeline } from "@agentwire/view/timeline";

/** How many events one request brings. */
export const PAGE = 200;
/** How many events are kept at once; beyond them the far end is let go, to be loaded again when it is looked at. */
const MOST = 3 * PAGE;

/** The part of a session's history that is loaded: it moves with the reader. */
export interface Excerpt {
  readonly items: readonly Item[];
  readonly hasOlder: boolean;
  /** Whether there is more behind it than what comes live. */
  readonly hasNewer: boolean;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly events: readonly Event[];
  readonly timeline: Timeline;
}

/** An excerpt of events that follow each other. */
export function newExcerpt(events: readonly Event[], hasOlder: boolean, hasNewer: boolean): Excerpt {
  const timeline = new Timeline();
  return { ...bounds(events), items: timeline.add(events), timeline, events, hasOlder, hasNewer };
}

/** The excerpt with a page before it. */
export function withOlder(excerpt: Excerpt, page: readonly Event[], more: boolean): Excerpt {
  const [kept, rest] = cutAfter([...page, ...excerpt.events]);
  return newExcerpt(kept, more, excerpt.hasNewer || rest);
}

/** The excerpt with a page behind it. */
export function withNewer(excerpt: Excerpt, page: readonly Event[], more: boolean): Excerpt {
  const [kept, rest] = cutBefore([...excerpt.events, ...page]);
  return newExcerpt(kept, excerpt.hasOlder || rest, more);
}

/** The excerpt with what comes live; one that is elsewhere in the history stays as it is. */
export function withLive(excerpt: Excerpt, events: readonly Event[]): Excerpt {
  if (excerpt.hasNewer) return excerpt;
  const fresh = events.filter(({ seq }) => Number(seq) > excerpt.lastSeq);
  if (fresh.length === 0) return excerpt;
  const all = [...withoutSuperseded(excerpt.events, fresh), ...fresh];
  // Letting go in larger pieces: each time everything is read again.
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

/** Without the pieces that a finished reply came for: the store has let go of them by now. */
function withoutSuperseded(events: readonly Event[], fresh: readonly Event[]): readonly Event[] {
  const finished = new Set(fresh.filter(({ supersedesFrom }) => supersedesFrom > 0n).map(replyOf));
  return finished.size === 0
    ? events
    : events.filter((event) => !isDelta(event) || !finished.has(replyOf(event)));
}

/** What a delta is a piece of, and a finished message takes the place of: a reply, or the output of a call. */
function replyOf({ parentToolUseId, body }: Event): string {
  if (body.case === "toolOutputDelta" || body.case === "toolCallResult")
    return `output ${body.value.toolUseId}`;
  return `${parentToolUseId} ${body.value && "messageId" in body.value ? body.value.messageId : ""}`;
}

/** Pieces of a reply weigh nothing: a long one must not push out its own beginning. */
const weight = (events: readonly Event[]) => events.reduce((sum, event) => sum + (isDelta(event) ? 0 : 1), 0);

/** The first events, as many as are kept, and whether others follow. */
function cutAfter(events: readonly Event[]): readonly [readonly Event[], boolean] {
  let left = MOST;
  const end = events.findIndex((event) => !isDelta(event) && --left < 0);
  return end < 0 ? [events, false] : [events.slice(0, end), true];
}

/** The last events, as many as are kept, and whether others come before. */
function cutBefore(events: readonly Event[]): readonly [readonly Event[], boolean] {
  let left = MOST;
  const start = events.findLastIndex((event) => !isDelta(event) && --left < 0);
  return start < 0 ? [events, false] : [events.slice(start + 1), true];
}

const bounds = (events: readonly Event[]) => ({
  firstSeq: Number(events[0]?.seq ?? 0n),
  lastSeq: Number(events.at(-1)?.seq ?? 0n),
});
