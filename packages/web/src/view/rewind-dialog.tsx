import { type RewindResponse, RewindScope } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { many } from "../text/words.ts";
import { Problem } from "./problem.tsx";

interface RewindProps {
  readonly app: App;
  readonly sessionId: string;
  readonly promptId: string;
  readonly text: string;
  readonly onClose: () => void;
}

type Scope = RewindScope.FILES | RewindScope.CONVERSATION | RewindScope.BOTH;

const SCOPES: readonly (readonly [Scope, string])[] = [
  [RewindScope.BOTH, "Conversation and files"],
  [RewindScope.CONVERSATION, "Conversation only"],
  [RewindScope.FILES, "Files only"],
];

/** Rewinds the conversation, files or both to before a prompt, or forks the session there; first shows a preview of the changes. */
export function RewindDialog({ app, sessionId, promptId, text, onClose }: RewindProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [scope, setScope] = useState<Scope>(RewindScope.BOTH);
  const [preview, setPreview] = useState<RewindResponse | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { sessions } = app.client;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    setPreview(undefined);
    setProblem("");
    const gone = new AbortController();
    sessions.rewind({ sessionId, promptId, scope, dryRun: true }, { signal: gone.signal }).then(
      (found) => !gone.signal.aborted && setPreview(found),
      (error: unknown) => !gone.signal.aborted && setProblem(textOfError(error)),
    );
    return () => gone.abort();
  }, [promptId, scope]);
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      dialog.current?.close();
    } catch (error) {
      setProblem(textOfError(error));
    }
    setBusy(false);
  };
  const rewind = async () => {
    const done = await sessions.rewind({ sessionId, promptId, scope });
    // Lets the user edit the prompt and send it again.
    if (done.text !== "") app.drafts.give(sessionId, done.text);
    app.say(doneWords(done, scope));
  };
  const fork = async () => {
    const { session } = await sessions.forkSession({ sessionId, beforePromptId: promptId });
    if (!session) return;
    app.drafts.give(session.id, text);
    app.go({ view: "session", id: session.id });
  };
  const isNothing = scope === RewindScope.FILES && preview?.files.length === 0;
  return (
    <dialog ref={dialog} class="raw-dialog worktree-dialog" onClose={onClose} aria-labelledby="rewind-title">
      <header>
        <h2 id="rewind-title">Rewind</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p>Back to before “{text.slice(0, 80)}”.</p>
      <fieldset class="scopes">
        <legend>What to rewind</legend>
        {SCOPES.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="scope" checked={scope === value} onChange={() => setScope(value)} />{" "}
            {label}
          </label>
        ))}
      </fieldset>
      <Problem text={problem} />
      {!preview && problem === "" && <p class="why">Loading…</p>}
      {preview && <Preview preview={preview} scope={scope} />}
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy || !preview || isNothing}
          onClick={() => void act(rewind)}
        >
          Rewind
        </button>
        <button type="button" disabled={isBusy} onClick={() => void act(fork)}>
          Fork from here
        </button>
      </p>
    </dialog>
  );
}

/** What a rewind would change. */
function Preview({ preview, scope }: { readonly preview: RewindResponse; readonly scope: Scope }) {
  const { files, insertions, deletions, prompts } = preview;
  return (
    <>
      {prompts > 0 && (
        <p>
          {many(prompts, "prompt")} and {prompts === 1 ? "its reply" : "their replies"} will be removed from
          the conversation. {prompts === 1 ? "Its text" : "The text of the first"} goes back into the prompt
          field.
        </p>
      )}
      {scope !== RewindScope.CONVERSATION && files.length === 0 && <p class="why">No files would change.</p>}
      {files.length > 0 && (
        <>
          <p>
            {many(files.length, "file")} <span class="plus">+{insertions}</span>{" "}
            <span class="minus">−{deletions}</span>
          </p>
          <ul class="rewound" aria-label="Files that change">
            {files.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function doneWords({ files, prompts }: RewindResponse, scope: Scope): string {
  const put = `${many(files.length, "file")} restored.`;
  if (scope === RewindScope.FILES) return put;
  const taken = `${many(prompts, "prompt")} removed.`;
  return scope === RewindScope.BOTH && files.length > 0 ? `${taken} ${put}` : taken;
}
