import { type Facts, type InputStatus, inputStatusOf, isBusy } from "@agentwire/view/facts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { PromptDraft } from "../drafts.ts";
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
  const [{ text, images }, setDraft] = useState(() => app.drafts.get(sessionId));
  /** What is typed is kept: people look into another session and come back. */
  const change = (part: Partial<PromptDraft>) => {
    const draft = { ...app.drafts.get(sessionId), ...part };
    app.drafts.set(sessionId, draft);
    setDraft(draft);
  };
  // The same words under the same key are accepted once, however often a bad connection makes us try.
  const key = useRef(crypto.randomUUID());
  const [isSending, setSending] = useState(false);
  const { sessions } = app.client;
  const busy = isBusy(facts);
  const standing = inputStatusOf(facts.input, app.client.isUs).type;
  const isOthers = standing !== "everybody" && standing !== "ours";
  const isEmpty = text.trim() === "" && images.length === 0;
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => grow(box.current), [text]);
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
    app.drafts.clear(sessionId);
    setDraft(app.drafts.get(sessionId));
  };
  const add = async (files: readonly File[]) => {
    const found = await Promise.all(files.map(attach));
    for (const refusal of found) if (typeof refusal === "string") app.say(refusal, "error");
    const added = found.filter((image) => typeof image !== "string");
    change({ images: [...app.drafts.get(sessionId).images, ...added] });
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
      <Attached images={images} onChange={(left) => change({ images: left })} />
      <textarea
        ref={box}
        aria-label="Prompt"
        placeholder={placeholderOf(standing, busy)}
        rows={1}
        value={text}
        onInput={(event) => change({ text: event.currentTarget.value })}
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

/** As high as its text, where the browser does not see to that by itself. */
function grow(box: HTMLTextAreaElement | null): void {
  if (!box || CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
}

function placeholderOf(standing: InputStatus["type"], busy: boolean): string {
  if (standing === "waiting") return "Type ahead";
  if (standing === "free to ask" || standing === "refused") return "Type ahead: Enter asks for the input";
  return busy ? "Add something: it joins the turn, or waits for the next one" : "Say what to do";
}
