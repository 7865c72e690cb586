import type { LocalSession } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { agoOf, folderName } from "../text/words.ts";
import { Marked } from "./marked.tsx";

const PAUSE_MS = 150;
const SHOWN = 200;

/** Conversations that Claude Code has left on this machine: one that is opened is copied here, and continued with the next prompt. */
export function LocalSessions({ app }: { readonly app: App }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly LocalSession[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [opening, setOpening] = useState("");
  useEffect(() => {
    let isGone = false;
    const look = async () => {
      const { sessions } = await app.client.sessions.listLocalSessions({ search: text, pageSize: SHOWN });
      if (!isGone) setFound(sessions);
    };
    const timer = setTimeout(() => {
      look().catch((error: unknown) => !isGone && setProblem(textOfError(error)));
    }, PAUSE_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [text]);
  const open = async (agentSessionId: string) => {
    setOpening(agentSessionId);
    const answer = await app.attempt(() => app.client.sessions.adoptSession({ agentSessionId }));
    setOpening("");
    if (answer?.session) app.go({ view: "session", id: answer.session.id });
  };
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
        placeholder="Titles, folders and everything that was said"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="why" role="status">
        {found?.length === 0 && "None was found."}
      </p>
      <ul class="local-sessions" aria-label="Sessions of Claude Code">
        {found?.map((session) => (
          <li key={session.agentSessionId}>
            <LocalRow session={session} opening={opening} onOpen={() => void open(session.agentSessionId)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly session: LocalSession;
  /** The one that is being opened; empty for none. */
  readonly opening: string;
  readonly onOpen: () => void;
}

/** One of them, with the words that were looked for where they stand. */
export function LocalRow({ session, opening, onOpen }: RowProps) {
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
