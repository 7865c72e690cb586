import { type Input, inputStatusOf } from "@agentwire/view/facts";
import type { App } from "../app.ts";
import { inputWords } from "../text/words.ts";

interface BarProps {
  readonly app: App;
  readonly sessionId: string;
  readonly input: Input;
  /** Does what a button here is for; the button goes with it. */
  readonly act: (work: () => Promise<unknown>) => void;
}

/** Says who may send, where not everybody may, and what can be done about it. */
export function InputBar({ app, sessionId, input, act }: BarProps) {
  const { sessions, isUs } = app.client;
  const standing = inputStatusOf(input, isUs);
  const words = inputWords(standing, input);
  // Those who see it have the card, and what would be given back goes to whoever asks.
  const isAsked = standing.type === "ours" && standing.requests.length > 0;
  // It is there before it has something to say: screen readers would not read it out otherwise.
  return (
    <div class={words === "" || isAsked ? "hidden" : "banner input-bar"}>
      <p role="status">{words}</p>
      {standing.type === "ours" && !isAsked && (
        <button type="button" class="small" onClick={() => act(() => sessions.releaseInput({ sessionId }))}>
          Let everybody send
        </button>
      )}
      {(standing.type === "free to ask" || standing.type === "refused") && (
        <button type="button" class="small" onClick={() => act(() => sessions.requestInput({ sessionId }))}>
          {standing.type === "refused" ? "Ask again" : "Ask for the input"}
        </button>
      )}
      {(standing.type === "waiting" || standing.type === "refused") && (
        // Only whoever has asked gets here, and then it takes two steps.
        <details class="force" key={standing.holder}>
          <summary class="button small">Take it anyway…</summary>
          <p>{standing.holder} loses it at once, and is told.</p>
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
