import { type GetContextResponse, WorkspaceService } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { count } from "../text/words.ts";
import { Problem } from "./problem.tsx";

interface ContextProps {
  readonly app: App;
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** Shows how full a session's context window is, by category. */
export function ContextDialog({ app, sessionId, onClose }: ContextProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [found, setFound] = useState<GetContextResponse | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    app.client
      .connect(WorkspaceService)
      .getContext({ sessionId })
      .then(setFound, (error: unknown) => setProblem(textOfError(error)));
  }, [sessionId]);
  return (
    <dialog ref={dialog} class="raw-dialog context-dialog" onClose={onClose} aria-labelledby="context-title">
      <header>
        <h2 id="context-title">Context</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <Problem text={problem} />
      {!found && problem === "" && <p class="why">Asking the agent…</p>}
      {found && !found.isKnown && (
        <p class="why">No agent is running for this session; the next prompt starts one.</p>
      )}
      {found?.isKnown && <Window found={found} />}
    </dialog>
  );
}

function Window({ found: { usedTokens, maxTokens, parts, model } }: { readonly found: GetContextResponse }) {
  const [used, most] = [Number(usedTokens), Math.max(1, Number(maxTokens))];
  const share = (tokens: number) => Math.min(100, (100 * tokens) / most);
  return (
    <>
      <p>
        <strong>{Math.ceil(share(used))}%</strong> of the context window of {model || "the model"} is in use:{" "}
        {count(used)} of {count(most)} tokens (estimated).
      </p>
      <table class="facts context-parts">
        <tbody>
          {parts.map(({ name, tokens }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{count(Number(tokens))}</td>
              <td class="context-bar">
                <div class="gauge" aria-hidden="true">
                  <div class="gauge-fill" style={{ width: `${share(Number(tokens))}%` }} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
