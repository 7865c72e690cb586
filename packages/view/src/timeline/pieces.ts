import type { Event } from "@agentwire/api";

/** Merges adjacent deltas of one reply: thousands may arrive per second, and each costs the same regardless of its length. */
export function* joined(events: readonly Event[]): Generator<Event> {
  for (let at = 0; at < events.length; ) {
    const first = events[at] as Event;
    let text = "";
    let end = at + 1;
    if (isPiece(first.body))
      for (text = first.body.value.text; end < events.length; end++) {
        const { body, parentToolUseId } = events[end] as Event;
        if (parentToolUseId !== first.parentToolUseId || !isNextPiece(first.body, body)) break;
        text += body.value.text;
      }
    yield end === at + 1 ? first : withText(first, text);
    at = end;
  }
}

type Piece = Extract<Event["body"], { case: "textDelta" | "thinkingDelta" }>;

const isPiece = (body: Event["body"]): body is Piece =>
  body.case === "textDelta" || body.case === "thinkingDelta";

const isNextPiece = (first: Piece, next: Event["body"]): next is Piece =>
  next.case === first.case &&
  next.value.index === first.value.index &&
  next.value.messageId === first.value.messageId;

const withText = (event: Event, text: string): Event =>
  ({ ...event, body: { case: event.body.case, value: { ...event.body.value, text } } }) as Event;
