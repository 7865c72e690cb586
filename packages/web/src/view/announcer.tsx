import type { Item } from "@agentwire/view/timeline";
import { useRef } from "preact/hooks";

const LONGEST = 400;

/** Announces finished messages to screen readers; deltas and loaded history would only be noise. */
export function Announcer({ items, isLive }: { readonly items: readonly Item[]; readonly isLive: boolean }) {
  const seen = useRef(items.at(-1)?.seq ?? 0);
  const text = useRef("");
  const last = items.at(-1);
  if (isLive && last && last.seq > seen.current) {
    const fresh = items.filter(({ seq }) => seq > seen.current);
    if (!("stage" in last && last.stage === "open")) {
      const said = fresh.map(wordsOf).filter(Boolean).join(". ");
      if (said !== "") text.current = said.slice(0, LONGEST);
      seen.current = last.seq;
    }
  }
  return (
    <p class="hidden" aria-live="polite">
      {text.current}
    </p>
  );
}

function wordsOf(item: Item): string {
  switch (item.kind) {
    case "said":
      return item.text;
    case "call":
      return `Using ${item.name}`;
    case "notice":
      return item.tone === "quiet" ? "" : item.text;
    case "turn":
      return item.turn.isError ? "The turn failed" : "The turn is done";
    default:
      return "";
  }
}
