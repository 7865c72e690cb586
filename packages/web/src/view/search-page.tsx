import { type SearchHit, SearchHitKind } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { hrefOf } from "../route.ts";
import { agoOf, folderName } from "../text/words.ts";
import { LocalRows } from "./local-sessions.tsx";
import { Marked } from "./marked.tsx";
import { Problem } from "./problem.tsx";
import { useLoaded } from "./use-loaded.ts";
import { useTypingPause } from "./use-typing-pause.ts";

const KINDS: Readonly<Record<SearchHitKind, string>> = {
  [SearchHitKind.UNSPECIFIED]: "",
  [SearchHitKind.PROMPT]: "Prompt",
  [SearchHitKind.ANSWER]: "Answer",
  [SearchHitKind.TOOL_CALL]: "Tool call",
  [SearchHitKind.TOOL_RESULT]: "Tool result",
};
const PAGE = 40;

interface Found {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly next: string;
  readonly isIncomplete: boolean;
}

/** Full-text search in all sessions; each hit links to its place in the session. */
export function SearchPage({ app, query }: { readonly app: App; readonly query: string }) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query);
  useEffect(() => box.current?.focus(), []);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useTypingPause(
    text,
    async (signal) => {
      if (text.trim() === "") return setFound(undefined);
      const page = await app.client.sessions.searchSessions({ query: text, pageSize: PAGE }, { signal });
      setProblem("");
      setFound({ query: text, hits: page.hits, next: page.nextPageToken, isIncomplete: page.incomplete });
      // Lets the Back button return to these results, without a history entry for each letter.
      history.replaceState(undefined, "", hrefOf({ view: "search", query: text }));
    },
    (error) => setProblem(textOfError(error)),
  );
  const more = async () => {
    if (!found) return;
    const page = await app.attempt(() =>
      app.client.sessions.searchSessions({ query: found.query, pageSize: PAGE, pageToken: found.next }),
    );
    if (page) setFound({ ...found, hits: [...found.hits, ...page.hits], next: page.nextPageToken });
  };
  return (
    <div class="page search-page">
      <h1>Search</h1>
      <input
        ref={box}
        type="search"
        aria-label="Words in any session"
        placeholder="Words in prompts, answers, tool calls and results"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Problem text={problem} />
      <p class="why" role="status">
        {found?.hits.length === 0 && "No results."}
        {found?.isIncomplete && " Older sessions are still being indexed."}
      </p>
      {found && bySession(found.hits).map((hits) => <SessionHits key={hits[0]?.sessionId} hits={hits} />)}
      {found && found.next !== "" && (
        <button type="button" onClick={() => void more()}>
          Show more
        </button>
      )}
      {found && <LocalHits app={app} query={found.query} />}
    </div>
  );
}

const MOST_LOCAL = 20;

/** Hits in Claude Code sessions that have not been opened here. */
function LocalHits({ app, query }: { readonly app: App; readonly query: string }) {
  const { sessions } = app.client;
  const { value } = useLoaded(app, query, () =>
    sessions.listLocalSessions({ search: query, pageSize: MOST_LOCAL }),
  );
  if (!value || value.sessions.length === 0) return null;
  return (
    <section class="panel hits" aria-label="Claude Code sessions">
      <h2>Claude Code sessions</h2>
      <ul>
        <LocalRows app={app} sessions={value.sessions} />
      </ul>
    </section>
  );
}

/** The hits of one session. */
function SessionHits({ hits }: { readonly hits: readonly SearchHit[] }) {
  const [first] = hits;
  if (!first) return null;
  return (
    <section class="panel hits" aria-label={first.title}>
      <h2>
        <a href={hrefOf({ view: "session", id: first.sessionId })}>{first.title || "Untitled"}</a>{" "}
        <span class="row-folder" title={first.cwd}>
          {folderName(first.cwd)}
        </span>
      </h2>
      <ul>
        {hits.map((hit) => (
          <li key={String(hit.seq)}>
            <a class="hit" href={hrefOf({ view: "session", id: hit.sessionId, seq: Number(hit.seq) })}>
              <span class="hit-facts">
                {KINDS[hit.kind]} {hit.time && `· ${agoOf(timestampMs(hit.time), Date.now())}`}
              </span>
              <Marked parts={hit.excerpt} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Groups hits by session, in order of each session's first hit. */
function bySession(hits: readonly SearchHit[]): readonly (readonly SearchHit[])[] {
  const sessions = new Map<string, SearchHit[]>();
  for (const hit of hits) sessions.set(hit.sessionId, [...(sessions.get(hit.sessionId) ?? []), hit]);
  return [...sessions.values()];
}
