import { type Input, inputStatusOf } from "@agentwire/view/facts";
import type { App } from "../app.ts";
import { inputWords } from "../text/words.ts";

interface BarProps {
  readonly app: App;
  readonly sessionId: string;
  readonly input: Input;
  /** Runs the action of a button, which may remove the button. */
  readonly act: (work: () => Promise<unknown>) => void;
}

/** Says who may send prompts, if not everyone may, with buttons to change that. */
export function InputBar({ app, sessionId, input, act }: BarProps) {
  const { sessions, isUs } = app.client;
  const standing = inputStatusOf(input, isUs);
  const words = inputWords(standing, input);
  // The request card is shown instead; releasing the input would hand it to the requester anyway.
  const isAsked = standing.type === "ours" && standing.requests.length > 0;
  // The status element always exists, since screen readers don't announce one that is added with its text.
  return (
    <div class={words === "" || isAsked ? "hidden" : "banner input-bar"}>
      <p role="status">{words}</p>
      {standing.type === "ours" && !isAsked && (
        <button type="button" class="small" onClick={() => act(() => sessions.releaseInput({ sessionId }))}>
          Let everyone send
        </button>
      )}
      {(standing.type === "free to ask" || standing.type === "refused") && (
        <button type="button" class="small" onClick={() => act(() => sessions.requestInput({ sessionId }))}>
          {standing.type === "refused" ? "Ask again" : "Ask for the input"}
        </button>
      )}
      {(standing.type === "waiting" || standing.type === "refused") && (
        // Shown only after the input was requested; taking it needs a second click.
        <details class="force" key={standing.holder}>
          <summary class="button small">Take it anyway…</summary>
          <p>{standing.holder} loses it immediately and is notified.</p>
          <button
            type="button"
            class="small danger"
            onClick={() => act(() => sessions.takeInput({ sessionId, force: true }))}
          >
            Take it from {standing.holder}
          </button>
        </details>
      )}
    </div>
  );
}
