import { type Item, MAIN } from "./item.ts";
import { DELTA } from "./read-stream-event.ts";
import { collapseRuns } from "./texts.ts";

/** A message of the model and the events until the next one. */
interface Segment {
  readonly message: Item[];
  readonly after: Item[];
  /** The id of the message, once one of its lines has given it. */
  id: string | undefined;
  ended: boolean;
}

/**
 * Puts lines into the order shared by all equivalent transcripts: a message before the tools that it calls, even if their lines
 * come while it is still being written; parallel tools one by one; the deltas of a block joined. Other lanes keep their order.
 */
export function inOrder(items: readonly Item[]): readonly Item[] {
  const main = items.filter(({ lane }) => lane === MAIN);
  const others = items.filter(({ lane }) => lane !== MAIN);
  return [...inMainOrder(main), ...others];
}

function inMainOrder(items: readonly Item[]): readonly Item[] {
  return joinDeltas(segments(items).flatMap(({ message, after }) => [...message, ...byTool(after, message)]));
}

function segments(items: readonly Item[]): readonly Segment[] {
  const all: Segment[] = [];
  for (const item of items) {
    let current = all.at(-1);
    if (current === undefined || beginsSegment(item, current)) {
      current = { message: [], after: [], id: undefined, ended: false };
      all.push(current);
    }
    if (item.place.of === "message") {
      current.message.push(item);
      current.id ??= item.place.id;
    } else {
      current.after.push(item);
      current.ended ||= item.place.of === "end";
    }
  }
  return all;
}

function beginsSegment({ place }: Item, current: Segment): boolean {
  if (current.ended) return true;
  if (place.of !== "message") return false;
  if (place.starts || current.message.length === 0) return true;
  return place.id !== undefined && current.id !== undefined && place.id !== current.id;
}

/** Sorts events by the tools that a message called, if it called several. */
function byTool(after: readonly Item[], message: readonly Item[]): readonly Item[] {
  const called = message.flatMap(({ place }) => (place.of === "message" && place.opens ? [place.opens] : []));
  if (called.length < 2) return after;
  const rank = ({ place }: Item) => {
    const position = place.of === "tool" && place.tool !== undefined ? called.indexOf(place.tool) : -1;
    return position < 0 ? called.length : position;
  };
  return after.toSorted((a, b) => rank(a) - rank(b));
}

function joinDeltas(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (last === undefined || !continues(item, last)) joined.push(item);
    else
      joined[joined.length - 1] = {
        ...last,
        hard: { ...last.hard, text: `${last.hard.text}${item.hard.text}` },
      };
  }
  return joined
    .filter((item) => !isDelta(item) || item.hard.text !== "")
    .map((item) =>
      isDelta(item) ? { ...item, hard: { ...item.hard, text: collapseRuns(String(item.hard.text)) } } : item,
    );
}

const isDelta = ({ kind }: Item) => kind.startsWith(DELTA);

function continues(item: Item, last: Item): boolean {
  return (
    isDelta(item) &&
    item.kind === last.kind &&
    item.hard.index === last.hard.index &&
    item.hard.parent === last.hard.parent
  );
}
