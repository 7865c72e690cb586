import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { SessionView } from "../session/open-session.ts";
import { count } from "../text/words.ts";
import type { Item } from "../timeline/item.ts";
import { Announcer } from "./announcer.tsx";
import { ItemRow } from "./item-row.tsx";
import { RawDialog } from "./raw-dialog.tsx";
import { type Anchor, anchorOf, isAtEnd, placeAt, restore } from "./scroll.ts";

interface HistoryProps {
  readonly app: App;
  readonly view: Extract<SessionView, { type: "open" }>;
}

/** Nearer to an edge than this, the next page is loaded. */
const EDGE_PX = 1200;

/** What happened in a session: the part around what is looked at is on the page, the rest is loaded when it is needed. */
export function History({ app, view }: HistoryProps) {
  const { excerpt, facts, unseen } = view;
  const frame = useRef<HTMLElement>(null);
  const anchor = useRef<Anchor | undefined>(undefined);
  const target = useRef<number | undefined>(undefined);
  const [isFollowing, setFollowing] = useState(true);
  const [atSeq, setAtSeq] = useState(facts.seq);
  const [raw, setRaw] = useState<Item | undefined>(undefined);
  const { session } = app;

  const look = () => {
    const element = frame.current;
    if (!element || !session) return;
    anchor.current = anchorOf(element);
    if (anchor.current) setAtSeq(anchor.current.seq);
    setFollowing(isAtEnd(element) && !excerpt.hasNewer);
    if (element.scrollTop < EDGE_PX && excerpt.hasOlder) void session.older();
    else if (element.scrollHeight - element.scrollTop - element.clientHeight < EDGE_PX && excerpt.hasNewer)
      void session.newer();
  };

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    if (target.current !== undefined && placeAt(element, target.current)) target.current = undefined;
    else if (isFollowing && !excerpt.hasNewer) element.scrollTop = element.scrollHeight;
    else restore(element, anchor.current);
    anchor.current = anchorOf(element);
  }, [excerpt, isFollowing]);
  // A page that does not fill the frame, or that was overtaken while it came, is not the last.
  useEffect(look, [excerpt, view.isPaging]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (isFollowing) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isFollowing]);

  const jump = (seq: number) => {
    target.current = seq;
    setFollowing(false);
    void session?.jump(seq);
  };
  const toLatest = async () => {
    await session?.latest();
    setFollowing(true);
    const element = frame.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  const isLong = excerpt.hasOlder || excerpt.hasNewer;
  return (
    <div class="history-area">
      <section
        ref={frame}
        class="history"
        aria-label="History"
        tabIndex={0}
        onScroll={look}
        aria-busy={view.isPaging}
      >
        {excerpt.hasOlder && <p class="edge">Loading what was before…</p>}
        {!excerpt.hasOlder && excerpt.items.length === 0 && <p class="edge">Nothing has been said yet.</p>}
        <ol class="items">
          {excerpt.items.map((item) => (
            <ItemRow key={item.key} item={item} onRaw={setRaw} />
          ))}
        </ol>
        {excerpt.hasNewer && <p class="edge">Loading what comes next…</p>}
      </section>
      {isLong && (
        <input
          class="rail"
          type="range"
          aria-label="Place in the history"
          aria-valuetext={`event ${atSeq} of ${facts.seq}`}
          min={Math.max(1, Number(facts.session.firstSeq))}
          max={facts.seq}
          value={isFollowing ? facts.seq : atSeq}
          onChange={(event) => jump(Number(event.currentTarget.value))}
        />
      )}
      {(!isFollowing || excerpt.hasNewer) && (
        <button type="button" class="latest" onClick={() => void toLatest()}>
          ↓ Latest{unseen > 0 && ` (${count(unseen)} new)`}
        </button>
      )}
      <Announcer items={excerpt.items} isLive={!excerpt.hasNewer} />
      {raw && (
        <RawDialog app={app} sessionId={facts.session.id} item={raw} onClose={() => setRaw(undefined)} />
      )}
    </div>
  );
}
