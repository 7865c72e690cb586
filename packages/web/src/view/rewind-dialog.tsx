import type { RewindResponse } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { many } from "../text/words.ts";

interface RewindProps {
  readonly app: App;
  readonly sessionId: string;
  readonly promptId: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Puts files back to what they were before a prompt; says first what that would change. */
export function RewindDialog({ app, sessionId, promptId, text, onClose }: RewindProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [preview, setPreview] = useState<RewindResponse | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { sessions } = app.client;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    sessions
      .rewind({ sessionId, promptId, dryRun: true })
      .then(setPreview, (error: unknown) => setProblem(textOfError(error)));
  }, [promptId]);
  const rewind = async () => {
    setBusy(true);
    try {
      await sessions.rewind({ sessionId, promptId });
      app.say(`${many(preview?.files.length ?? 0, "file")} put back.`);
      dialog.current?.close();
    } catch (error) {
      setProblem(textOfError(error));
    }
    setBusy(false);
  };
  return (
    <dialog ref={dialog} class="raw-dialog worktree-dialog" onClose={onClose} aria-labelledby="rewind-title">
      <header>
        <h2 id="rewind-title">Rewind files</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p>
        Files that the agent's tools changed become what they were before “{text.slice(0, 80)}”. The
        conversation stays.
      </p>
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!preview && problem === "" && <p class="why">Looking…</p>}
      {preview && preview.files.length === 0 && <p class="why">No file would change.</p>}
      {preview && preview.files.length > 0 && (
        <>
          <p>
            {many(preview.files.length, "file")} <span class="plus">+{preview.insertions}</span>{" "}
            <span class="minus">−{preview.deletions}</span>
          </p>
          <ul class="rewound" aria-label="Files that change">
            {preview.files.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </>
      )}
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy || (preview?.files.length ?? 0) === 0}
          onClick={() => void rewind()}
        >
          Rewind
        </button>
      </p>
    </dialog>
  );
}
