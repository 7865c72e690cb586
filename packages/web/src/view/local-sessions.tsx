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

/** Conversations that Claude Code has left on this machine: one that is opened is copied here, and continued with the next prompt. */
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
      <h1>Sessions of Claude Code</h1>
      <p class="why">
        What was said in a terminal or an editor on this machine. Opening one copies it into the list; nothing
        is changed until you send a prompt, which continues the same conversation.
      </p>
      <input
        type="search"
        aria-label="Search sessions of Claude Code"
        placeholder="Titles, folders and messages"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Problem text={problem} />
      <p class="why" role="status">
        {found?.length === 0 && "None was found."}
      </p>
      <ul class="local-sessions" aria-label="Sessions of Claude Code">
        {found && <LocalRows app={app} sessions={found} />}
      </ul>
    </div>
  );
}

interface RowsProps {
  readonly app: App;
  readonly sessions: readonly LocalSession[];
}

/** The items of a list of such sessions; each opens its session. */
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
  /** The one that is being opened; empty for none. */
  readonly opening: string;
  readonly onOpen: () => void;
}

/** One session, with the place where the words were found. */
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
