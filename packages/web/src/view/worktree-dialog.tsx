import { type GetWorktreeResponse, type Session, WorktreeEnd } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { readPatch } from "../text/patch.ts";
import { titleOfSession } from "../text/words.ts";
import { DiffView } from "./diff-view.tsx";
import { Problem } from "./problem.tsx";

interface WorktreeProps {
  readonly app: App;
  readonly session: Session;
  readonly onClose: () => void;
}

interface Ending {
  readonly end: WorktreeEnd;
  readonly commitMessage?: string;
  readonly discard?: boolean;
}

/** Shows the changes in a session's worktree, with buttons to keep, merge or remove it. */
export function WorktreeDialog({ app, session, onClose }: WorktreeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [work, setWork] = useState<GetWorktreeResponse | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState(titleOfSession(session));
  const [mayDiscard, setMayDiscard] = useState(false);
  const { sessions } = app.client;
  const sessionId = session.id;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    sessions.getWorktree({ sessionId }).then(setWork, (error: unknown) => setProblem(textOfError(error)));
  }, [sessionId]);
  const end = async (ending: Ending, became: string) => {
    setBusy(true);
    setProblem("");
    try {
      await sessions.endWorktree({ ...ending, sessionId });
      app.say(became);
      void app.refresh();
      dialog.current?.close();
    } catch (error) {
      setProblem(textOfError(error));
    }
    setBusy(false);
  };
  const { branch = "", base = "", path = "" } = session.worktree ?? {};
  const isOpen = (work?.uncommitted.length ?? 0) + (work?.unmergedCommits ?? 0) > 0;
  return (
    <dialog
      ref={dialog}
      class="raw-dialog worktree-dialog"
      onClose={onClose}
      aria-labelledby="worktree-title"
    >
      <header>
        <h2 id="worktree-title">Worktree {branch}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p class="head-facts">
        <span>{path}</span>
        <span>{base === "" ? "no base branch" : `from ${base}`}</span>
      </p>
      <Problem text={problem} />
      {work && <Changes work={work} />}
      {work && work.uncommitted.length > 0 && (
        <label>
          Commit message for uncommitted changes
          <input value={message} onInput={(event) => setMessage(event.currentTarget.value)} />
        </label>
      )}
      {work && isOpen && (
        <label class="check">
          <input
            type="checkbox"
            checked={mayDiscard}
            onChange={(event) => setMayDiscard(event.currentTarget.checked)}
          />
          Discard this work on removal
        </label>
      )}
      <p class="actions">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void end({ end: WorktreeEnd.KEEP }, `Kept ${branch}.`)}
        >
          Keep
        </button>
        <button
          type="button"
          class="primary"
          disabled={isBusy || !work}
          onClick={() =>
            void end({ end: WorktreeEnd.MERGE, commitMessage: message }, `Merged ${branch} into ${base}.`)
          }
        >
          Merge
        </button>
        <button
          type="button"
          class="danger"
          disabled={isBusy || !work || (isOpen && !mayDiscard)}
          onClick={() => void end({ end: WorktreeEnd.REMOVE, discard: mayDiscard }, `Removed ${branch}.`)}
        >
          Remove
        </button>
      </p>
    </dialog>
  );
}

function Changes({ work: { files, patch, patchOmitted } }: { readonly work: GetWorktreeResponse }) {
  if (files.length === 0) return <p>No differences from the base.</p>;
  const edits = new Map(readPatch(patch).map((edit) => [edit.path, edit]));
  return (
    <section aria-label="Changes">
      {patchOmitted && <p>The diff is too large to show.</p>}
      {files.map(({ path, insertions, deletions }) => {
        const edit = edits.get(path);
        return (
          <details key={path} open={files.length === 1}>
            <summary>
              {path} <span class="added">+{insertions}</span> <span class="removed">−{deletions}</span>
            </summary>
            {edit && edit.hunks.length > 0 && <DiffView edit={edit} />}
          </details>
        );
      })}
    </section>
  );
}
