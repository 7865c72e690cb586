import type { SearchHit } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { Marked } from "./marked.tsx";
import { useTypingPause } from "./use-typing-pause.ts";

interface FindProps {
  readonly app: App;
  readonly sessionId: string;
  /** Scrolls to an event. */
  readonly onPlace: (seq: number) => void;
  readonly onClose: () => void;
}

const MOST = 100;

/** Searches a whole session, including parts that are not loaded. Enter goes to the next older match, Shift+Enter back, Escape closes. */
export function FindBar({ app, sessionId, onPlace, onClose }: FindProps) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [hits, setHits] = useState<readonly SearchHit[] | undefined>(undefined);
  const [at, setAt] = useState(0);
  const show = (index: number, among: readonly SearchHit[]) => {
    const hit = among[(index + among.length) % among.length];
    if (!hit) return;
    setAt(among.indexOf(hit));
    onPlace(Number(hit.seq));
  };
  useEffect(() => box.current?.focus(), []);
  useEffect(() => {
    setHits(undefined);
  }, [text]);
  useTypingPause(text, async (signal) => {
    if (text.trim() === "") return;
    const found = await app.attempt(() =>
      app.client.sessions.searchSessions({ query: text, sessionId, pageSize: MOST }),
    );
    if (!found || signal.aborted) return;
    setHits(found.hits);
    show(0, found.hits);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && hits) show(at + (event.shiftKey ? -1 : 1), hits);
    else return;
    event.preventDefault();
  };
  const hit = hits?.[at];
  return (
    <search class="find-bar" aria-label="Find in this session">
      <input
        ref={box}
        type="search"
        aria-label="Find in this session"
        placeholder="Find in this session"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="find-count" role="status">
        {hits &&
          (hits.length === 0
            ? "No results"
            : `${at + 1} of ${hits.length}${hits.length === MOST ? "+" : ""}`)}
      </span>
      <button
        type="button"
        class="quiet"
        aria-label="Older"
        disabled={!hit}
        onClick={() => hits && show(at + 1, hits)}
      >
        ↑
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="Newer"
        disabled={!hit}
        onClick={() => hits && show(at - 1, hits)}
      >
        ↓
      </button>
      <button type="button" class="quiet" aria-label="Close search" onClick={onClose}>
        ✕
      </button>
      {hit && (
        <p class="find-excerpt">
          <Marked parts={hit.excerpt} />
        </p>
      )}
    </search>
  );
}
