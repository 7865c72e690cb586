import { FileState, type OpenFile, type Session, StagedState, WorkspaceService } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { reviewPrompt, suggestedMessage, totals } from "../text/review.ts";
import { many, titleOfSession } from "../text/words.ts";
import { ChangedFile, type Comment } from "./changed-file.tsx";
import { Problem } from "./problem.tsx";
import { type Scope, useChanges } from "./use-changes.ts";

interface ChangesProps {
  readonly app: App;
  readonly session: Session;
  readonly onClose: () => void;
}

/** A message about the last action, with an optional undo. */
interface Notice {
  readonly text: string;
  readonly undo?: () => void;
}

/** The minimum width for two columns. */
const WIDE = "(min-width: 75rem)";

/** The changes of a session, for review: comments become a prompt, and files can be staged, committed and reverted. */
export function ChangesDialog({ app, session, onClose }: ChangesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [scope, setScope] = useState<Scope>("open");
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  const [isOwn, setOwn] = useState(false);
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const [message, setMessage] = useState(() => suggestedMessage(titleOfSession(session)));
  // Toasts would be hidden behind the dialog.
  const [notice, setNotice] = useState<Notice | undefined>(undefined);
  const changes = useChanges(app, session);
  const { found, work, turns, own, problem, isBusy, act } = changes;
  useEffect(() => dialog.current?.showModal(), []);
  const workspace = app.client.connect(WorkspaceService);
  const sessionId = session.id;
  const shown = changes.filesOf(scope).filter(({ path }) => !isOwn || own.has(path));
  const open = new Map((scope === "open" ? (found?.files ?? []) : []).map((file) => [file.path, file]));
  const staged = (found?.files ?? []).filter((file) => file.staged !== StagedState.NONE);
  const { added, removed } = totals(shown);
  const revert = (path: string, hunk: string) =>
    act(async () => {
      const { undo } = await workspace.revertChange({ sessionId, path, hunk });
      setNotice({
        text: hunk === "" ? `Reverted ${path}.` : `Reverted a hunk of ${path}.`,
        undo: () => {
          setNotice(undefined);
          void act(() => workspace.revertChange({ sessionId, path, undo }));
        },
      });
    });
  const send = async () => {
    const text = reviewPrompt(comments);
    const sent = await app.attempt(() =>
      app.client.sessions.sendPrompt({ sessionId, text, idempotencyKey: crypto.randomUUID() }),
    );
    if (sent) dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="changes-dialog" onClose={onClose} aria-labelledby="changes-title">
      <header>
        <h2 id="changes-title">Changes</h2>
        <select
          aria-label="Changes to show"
          value={String(scope)}
          onChange={({ currentTarget: { value } }) =>
            setScope(value === "open" || value === "base" ? value : Number(value))
          }
        >
          <option value="open">Uncommitted{found?.branch ? ` on ${found.branch}` : ""}</option>
          {work && <option value="base">All changes since {work.worktree?.base || "the start"}</option>}
          {turns.map(({ seq, prompt }) => (
            <option key={seq} value={seq}>
              Turn: {suggestedMessage(prompt)}
            </option>
          ))}
        </select>
        <span class="counts">
          {many(shown.length, "file")} <span class="plus">+{added}</span>{" "}
          <span class="minus">−{removed}</span>
        </span>
        <span class="header-gap" />
        <label class="check wide-only">
          <input type="checkbox" checked={isWide} onChange={() => setWide(!isWide)} />
          Side by side
        </label>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <Problem text={problem} />
      <div class="changes-body">
        <nav class="changes-files" aria-label="Changed files">
          {own.size > 0 && scope !== "base" && typeof scope === "string" && (
            <label class="check">
              <input type="checkbox" checked={isOwn} onChange={() => setOwn(!isOwn)} />
              Only files edited by the agent's tools
            </label>
          )}
          <ul>
            {shown.map(({ path, added: plus, removed: minus }, index) => (
              <li key={index}>
                <StageBox
                  file={open.get(path)}
                  isBusy={isBusy}
                  onStage={(isStaged) =>
                    void act(() => workspace.stageFiles({ sessionId, paths: [path], staged: isStaged }))
                  }
                />
                <button
                  type="button"
                  class="file-link quiet"
                  title={path}
                  onClick={() => document.getElementById(`change-${index}`)?.scrollIntoView()}
                >
                  {path}
                </button>
                <span class="counts">
                  <span class="plus">+{plus}</span> <span class="minus">−{minus}</span>
                </span>
              </li>
            ))}
          </ul>
        </nav>
        <section class="changes-list" tabIndex={0} aria-label="Diff">
          {!found && problem === "" && <p class="why">Loading…</p>}
          {found && shown.length === 0 && <Nothing isRepository={found.isRepository} scope={scope} />}
          {found?.patchOmitted && scope === "open" && <p>The diff is too large to show.</p>}
          {shown.map((file, index) => (
            <section
              key={`${scope} ${index}`}
              id={`change-${index}`}
              class="changed-file"
              aria-label={file.path}
            >
              <header>
                <strong>{file.path}</strong>
                <FileTag file={open.get(file.path)} />
                {scope === "open" && (
                  <button
                    type="button"
                    class="small quiet"
                    disabled={isBusy}
                    onClick={() => void revert(file.path, "")}
                  >
                    Revert file
                  </button>
                )}
              </header>
              <ChangedFile
                file={file}
                isWide={isWide}
                comments={comments}
                onComment={(comment) => setComments([...comments, comment])}
                onRemove={(comment) => setComments(comments.filter((each) => each !== comment))}
                onRevertHunk={
                  scope === "open" && "hunkTexts" in file && file.hunks.length > 1
                    ? (hunk) => void revert(file.path, file.hunkTexts[hunk] ?? "")
                    : undefined
                }
              />
            </section>
          ))}
        </section>
      </div>
      <footer>
        <p class="changes-notice" role="status">
          {notice?.text}
          {notice?.undo && (
            <button type="button" class="small" disabled={isBusy} onClick={notice.undo}>
              Undo
            </button>
          )}
        </p>
        {scope === "open" && (
          <form
            class="commit"
            onSubmit={(event) => {
              event.preventDefault();
              void act(async () => {
                const { commit } = await workspace.commitChanges({ sessionId, message });
                setNotice({ text: `Committed as ${commit.slice(0, 8)}.` });
              });
            }}
          >
            <input
              aria-label="Commit message"
              value={message}
              onInput={(event) => setMessage(event.currentTarget.value)}
            />
            <button type="submit" disabled={isBusy || staged.length === 0 || message.trim() === ""}>
              Commit {many(staged.length, "file")}
            </button>
          </form>
        )}
        <button type="button" class="primary" disabled={comments.length === 0} onClick={() => void send()}>
          Send {many(comments.length, "comment")}
        </button>
      </footer>
    </dialog>
  );
}

function Nothing({ isRepository, scope }: { readonly isRepository: boolean; readonly scope: Scope }) {
  if (scope !== "open" || isRepository) return <p class="why">No changes.</p>;
  return (
    <p class="why">
      The folder is not in a git repository, so there is nothing to compare with. Edits by the agent's tools
      are listed by turn.
    </p>
  );
}

interface StageProps {
  readonly file: OpenFile | undefined;
  readonly isBusy: boolean;
  readonly onStage: (isStaged: boolean) => void;
}

function StageBox({ file, isBusy, onStage }: StageProps) {
  if (!file) return null;
  return (
    <input
      type="checkbox"
      aria-label={`Stage ${file.path}`}
      checked={file.staged === StagedState.ALL}
      ref={(box: HTMLInputElement | null) => {
        if (box) box.indeterminate = file.staged === StagedState.SOME;
      }}
      disabled={isBusy}
      onChange={(event) => onStage(event.currentTarget.checked)}
    />
  );
}

function FileTag({ file }: { readonly file: OpenFile | undefined }) {
  if (file?.state === FileState.ADDED) return <span class="tag good">new</span>;
  if (file?.state === FileState.DELETED) return <span class="tag bad">deleted</span>;
  return null;
}
