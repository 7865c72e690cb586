import { useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { type Facts, isBusy } from "../session/facts.ts";
import { type InputStatus, inputStatusOf } from "../session/input.ts";
import type { InlineImage } from "../text/images.ts";
import { attach, contentWith } from "../text/images.ts";
import { AttachButton, Attached } from "./attachments.tsx";
import { InputBar } from "./input-bar.tsx";

interface ComposerProps {
  readonly app: App;
  readonly sessionId: string;
  readonly facts: Facts;
}

/** Where people say something to a session: Enter sends, Shift and Enter begins a line, Escape interrupts. */
export function Composer({ app, sessionId, facts }: ComposerProps) {
  const [text, setText] = useState("");
  const [images, setImages] = useState<readonly InlineImage[]>([]);
  // The same words under the same key are accepted once, however often a bad connection makes us try.
  const key = useRef(crypto.randomUUID());
  const [isSending, setSending] = useState(false);
  const { sessions } = app.client;
  const busy = isBusy(facts);
  const standing = inputStatusOf(facts.input, app.client.isUs).type;
  const isOthers = standing !== "everybody" && standing !== "ours";
  const isEmpty = text.trim() === "" && images.length === 0;
  const box = useRef<HTMLTextAreaElement>(null);
  /** Whoever has done something about the input goes on with what they have to say. */
  const act = (work: () => Promise<unknown>) => {
    box.current?.focus();
    void app.attempt(work);
  };
  const send = async () => {
    if (isEmpty || isSending || standing === "waiting") return;
    if (isOthers) return act(() => sessions.requestInput({ sessionId }));
    setSending(true);
    const contentJson = contentWith(text, images);
    const sent = await app.attempt(() =>
      sessions.sendPrompt({ sessionId, text, contentJson, idempotencyKey: key.current }),
    );
    setSending(false);
    if (!sent) return;
    key.current = crypto.randomUUID();
    setText("");
    setImages([]);
  };
  const add = async (files: readonly File[]) => {
    const found = await Promise.all(files.map(attach));
    for (const refusal of found) if (typeof refusal === "string") app.say(refusal, "error");
    setImages((before) => [...before, ...found.filter((image) => typeof image !== "string")]);
  };
  /** Files in what was pasted or dropped are attached; anything else is the browser's. */
  const take = (event: Event, data: DataTransfer | null) => {
    if (!data || data.files.length === 0) return;
    event.preventDefault();
    void add([...data.files]);
  };
  const interrupt = () => void app.attempt(() => sessions.interrupt({ sessionId }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      void send();
    } else if (event.key === "Escape" && busy && !isOthers) interrupt();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      <InputBar app={app} sessionId={sessionId} input={facts.input} act={act} />
      <Attached images={images} onChange={setImages} />
      <textarea
        ref={box}
        aria-label="Prompt"
        placeholder={placeholderOf(standing, busy)}
        rows={Math.min(10, Math.max(1, text.split("\n").length))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
      />
      <div class="composer-buttons">
        <AttachButton onFiles={(files) => void add(files)} />
        {busy && !isOthers && (
          <button type="button" onClick={interrupt} title="Escape">
            Interrupt
          </button>
        )}
        <button type="submit" class="primary" disabled={isEmpty || isSending || isOthers}>
          Send
        </button>
      </div>
    </form>
  );
}

function placeholderOf(standing: InputStatus["type"], busy: boolean): string {
  if (standing === "waiting") return "Type ahead";
  if (standing === "free to ask" || standing === "refused") return "Type ahead: Enter asks for the input";
  return busy ? "Add something: it joins the turn, or waits for the next one" : "Say what to do";
}
