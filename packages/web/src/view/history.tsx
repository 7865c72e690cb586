import type { Item } from "@agentwire/view/timeline";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { SessionView } from "../session/open-session.ts";
import { count } from "../text/words.ts";
import { Announcer } from "./announcer.tsx";
import { OnRewind } from "./folder.ts";
import { ItemRow } from "./item-row.tsx";
import { lazy } from "./lazy.tsx";
import { useScrolling } from "./use-scrolling.ts";

const RewindDialog = lazy(async () => (await import("./rewind-dialog.tsx")).RewindDialog);
const FindBar = lazy(async () => (await import("./find-bar.tsx")).FindBar);
const RawDialog = lazy(async () => (await import("./raw-dialog.tsx")).RawDialog);

interface HistoryProps {
  readonly app: App;
  readonly view: Extract<SessionView, { type: "open" }>;
  /** The event named by the address. */
  readonly seq: number | undefined;
  readonly isFinding: boolean;
  readonly onFound: () => void;
}

/** The history of a session. Only the part around the visible area is on the page; the rest is loaded on demand. */
export function History({ app, view, seq, isFinding, onFound }: HistoryProps) {
  const { excerpt, facts, unseen } = view;
  const { frame, isFollowing, atSeq, look, jump, toLatest } = useScrolling(app.session, view);
  const [rewound, setRewound] = useState<{ readonly promptId: string; readonly text: string } | undefined>(
    undefined,
  );
  const [place, setPlace] = useState<number | undefined>(undefined);
  const [raw, setRaw] = useState<Item | undefined>(undefined);
  useEffect(() => {
    if (seq !== undefined) jump(seq);
  }, [seq]);
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
        {excerpt.hasOlder && <p class="edge">Loading earlier events…</p>}
        {!excerpt.hasOlder && excerpt.items.length === 0 && <p class="edge">No messages yet.</p>}
        <OnRewind.Provider value={setRewound}>
          <ol class="items">
            {excerpt.items.map((item) => (
              <ItemRow key={item.key} item={item} onRaw={setRaw} isFound={item.seq === (place ?? seq)} />
            ))}
          </ol>
        </OnRewind.Provider>
        {excerpt.hasNewer && <p class="edge">Loading later events…</p>}
      </section>
      {isFinding && (
        <FindBar
          app={app}
          sessionId={facts.session.id}
          onPlace={(place) => {
            setPlace(place);
            jump(place);
          }}
          onClose={onFound}
        />
      )}
      {isLong && (
        <input
          class="rail"
          type="range"
          aria-label="Position in the history"
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
      {rewound && (
        <RewindDialog
          app={app}
          sessionId={facts.session.id}
          promptId={rewound.promptId}
          text={rewound.text}
          onClose={() => setRewound(undefined)}
        />
      )}
      {raw && (
        <RawDialog app={app} sessionId={facts.session.id} item={raw} onClose={() => setRaw(undefined)} />
      )}
    </div>
  );
}
