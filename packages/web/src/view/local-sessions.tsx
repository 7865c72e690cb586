import type { LocalSession } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { agoOf, folderName } from "../text/words.ts";
import { Marked } from "./marked.tsx";
import { Problem } from "./problem.tsx";
import { useTypingPause } from "./use-typing-pause.ts";

const SHOWN = 200;

/** Claude Code conversations on the daemon's machine. Opening one copies it here; the next prompt continues it. */
export function LocalSessions({ app }: { readonly app: App }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly LocalSession[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useTypingPause(
    text,
    async (signal) => {
      const page = { search: text, pageSize: SHOWN };
      setFound((await app.client.sessions.listLocalSessions(page, { signal })).sessions);
    },
    (error) => setProblem(textOfError(error)),
  );
  return (
    <div class="page search-page">
      <h1>Claude Code sessions</h1>
      <p class="why">
        Conversations from a terminal or an editor on this machine. Opening one copies it into the list.
        Nothing changes until you send a prompt, which continues the same conversation.
      </p>
      <input
        type="search"
        aria-label="Search Claude Code sessions"
        placeholder="Titles, folders and messages"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Problem text={problem} />
      <p class="why" role="status">
        {found?.length === 0 && "No sessions found."}
      </p>
      <ul class="local-sessions" aria-label="Claude Code sessions">
        {found && <LocalRows app={app} sessions={found} />}
      </ul>
    </div>
  );
}

interface RowsProps {
  readonly app: App;
  readonly sessions: readonly LocalSession[];
}

/** The list items for such sessions; clicking one opens its session. */
export function LocalRows({ app, sessions }: RowsProps) {
  const [opening, setOpening] = useState("");
  const open = async (agentSessionId: string) => {
    setOpening(agentSessionId);
    const answer = await app.attempt(() => app.client.sessions.adoptSession({ agentSessionId }));
    setOpening("");
    if (answer?.session) app.go({ view: "session", id: answer.session.id });
  };
  return (
    <>
      {sessions.map((session) => (
        <li key={session.agentSessionId}>
          <LocalRow session={session} opening={opening} onOpen={() => void open(session.agentSessionId)} />
        </li>
      ))}
    </>
  );
}

interface RowProps {
  readonly session: LocalSession;
  /** The session being opened; empty if none. */
  readonly opening: string;
  readonly onOpen: () => void;
}

/** One session, with an excerpt around the words found. */
function LocalRow({ session, opening, onOpen }: RowProps) {
  const { agentSessionId, title, cwd, updatedAt, excerpt } = session;
  return (
    <button type="button" class="hit quiet" disabled={opening !== ""} onClick={onOpen}>
      <span class="row-title">{title}</span>
      <span class="hit-facts">
        {folderName(cwd)} {updatedAt && `· ${agoOf(timestampMs(updatedAt), Date.now())}`}
        {opening === agentSessionId && " · opening…"}
      </span>
      {excerpt.length > 0 && <Marked parts={excerpt} />}
    </button>
  );
}
