import { type Session, WorkspaceService } from "@agentwire/api";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { folderName } from "../text/words.ts";
import { FileTree } from "./file-tree.tsx";
import { FileView } from "./file-view.tsx";

interface FilesProps {
  readonly app: App;
  readonly session: Session;
  readonly onClose: () => void;
}

/** Browses the files in a session's folder, except ignored files. */
export function FilesDialog({ app, session, onClose }: FilesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [path, setPath] = useState<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const workspace = useMemo(() => app.client.connect(WorkspaceService), [app]);
  const mention = () => {
    dialog.current?.close();
    app.drafts.append(session.id, `@${path}`);
  };
  return (
    <dialog ref={dialog} class="changes-dialog files-dialog" onClose={onClose} aria-labelledby="files-title">
      <header>
        <h2 id="files-title">Files</h2>
        <span class="path" title={session.cwd}>
          {folderName(session.cwd)}
        </span>
        <span class="header-gap" />
        {path !== undefined && (
          <button type="button" title="Insert into the prompt" onClick={mention}>
            Mention
          </button>
        )}
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class={`changes-body ${path === undefined ? "" : "with-file"}`}>
        <FileTree workspace={workspace} sessionId={session.id} chosen={path} onChoose={setPath} />
        <section class="changes-list file-view" tabIndex={0} aria-label="Content">
          {path === undefined ? (
            <p class="why">Select a file.</p>
          ) : (
            <FileView
              key={path}
              workspace={workspace}
              sessionId={session.id}
              path={path}
              onBack={() => setPath(undefined)}
            />
          )}
        </section>
      </div>
    </dialog>
  );
}
