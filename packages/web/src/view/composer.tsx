import { useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { type Facts, isBusy } from "../session/facts.ts";

interface ComposerProps {
  readonly app: App;
  readonly sessionId: string;
  readonly facts: Facts;
}

/** Where people say something to a session: Enter sends, Shift and Enter begins a line, Escape interrupts. */
export function Composer({ app, sessionId, facts }: ComposerProps) {
  const [text, setText] = useState("");
  // The same words under the same key are accepted once, however often a bad connection makes us try.
  const key = useRef(crypto.randomUUID());
  const [isSending, setSending] = useState(false);
  const { sessions } = app.client;
  const busy = isBusy(facts);
  const isOthers = facts.holder !== "" && facts.holder !== app.client.name;
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    const sent = await app.attempt(() =>
      sessions.sendPrompt({ sessionId, text, idempotencyKey: key.current }),
    );
    setSending(false);
    if (!sent) return;
    key.current = crypto.randomUUID();
    setText("");
  };
  const interrupt = () => void app.attempt(() => sessions.interrupt({ sessionId }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      void send();
    } else if (event.key === "Escape" && busy) interrupt();
  };
  const takeInput = () => void app.attempt(() => sessions.takeInput({ sessionId, force: true }));
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {isOthers && (
        <p class="banner">
          Only {facts.holder} may send now.{" "}
          <button type="button" class="small" onClick={takeInput}>
            Take over
          </button>
        </p>
      )}
      <textarea
        aria-label="Prompt"
        placeholder={busy ? "Say more: it joins the turn, or waits for the next" : "Say what to do"}
        rows={Math.min(10, Math.max(1, text.split("\n").length))}
        value={text}
        disabled={isOthers}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-buttons">
        {busy && (
          <button type="button" onClick={interrupt} title="Escape">
            Interrupt
          </button>
        )}
        <button type="submit" class="primary" disabled={text.trim() === "" || isSending || isOthers}>
          Send
        </button>
      </div>
    </form>
  );
}
