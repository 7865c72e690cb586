import { type Facts, type InputStatus, inputStatusOf, isBusy } from "@agentwire/view/facts";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { PromptDraft } from "../drafts.ts";
import { sends } from "../preferences.ts";
import { attach, contentWith } from "../text/attachments.ts";
import { completed, triggerAt } from "../text/trigger.ts";
import { AttachButton, Attached } from "./attachments.tsx";
import { InputBar } from "./input-bar.tsx";
import { lazy } from "./lazy.tsx";
import { useRecall } from "./use-recall.ts";

const Suggestions = lazy(async () => (await import("./suggestions.tsx")).Suggestions);

interface ComposerProps {
  readonly app: App;
  readonly sessionId: string;
  readonly facts: Facts;
  /** Earlier prompts, latest last. */
  readonly said: readonly string[];
}

/** The prompt field: / and @ complete words, and the arrow keys recall earlier prompts. */
export function Composer({ app, sessionId, facts, said }: ComposerProps) {
  const [{ text, attachments }, setDraft] = useState(() => app.drafts.get(sessionId));
  /** Updates the draft, which is kept when the user opens another session. */
  const change = (part: Partial<PromptDraft>) => {
    const draft = { ...app.drafts.get(sessionId), ...part };
    app.drafts.set(sessionId, draft);
    setDraft(draft);
  };
  useEffect(
    () =>
      app.drafts.listen(sessionId, () => {
        setDraft(app.drafts.get(sessionId));
        box.current?.focus();
      }),
    [sessionId],
  );
  // The daemon accepts a prompt with the same key only once, so it can safely be resent over a bad connection.
  const key = useRef(crypto.randomUUID());
  const [isSending, setSending] = useState(false);
  const { sessions } = app.client;
  const busy = isBusy(facts);
  const standing = inputStatusOf(facts.input, app.client.isUs).type;
  const isOthers = standing !== "everybody" && standing !== "ours";
  const isEmpty = text.trim() === "" && attachments.length === 0;
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => grow(box.current), [text]);
  const [caret, setCaret] = useState<number | undefined>(undefined);
  const [active, setActive] = useState<string | undefined>(undefined);
  const suggestionKeys = useRef<(event: KeyboardEvent) => boolean>(null);
  // The field has the new text only after rendering; setting the caret any later would disturb what the user types next.
  const caretToSet = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (caretToSet.current === undefined) return;
    box.current?.setSelectionRange(caretToSet.current, caretToSet.current);
    caretToSet.current = undefined;
  });
  const trigger = caret === undefined ? undefined : triggerAt(text, caret);
  const recall = useRecall(said, text, (words) => change({ text: words }));
  const pick = (word: string) => {
    if (!trigger || word === "") return;
    const { text: whole, caret: next } = completed(text, trigger, word);
    change({ text: whole });
    setCaret(next);
    box.current?.focus();
    caretToSet.current = next;
  };
  /** Runs an action on the input and returns the focus to the prompt field. */
  const act = (work: () => Promise<unknown>) => {
    box.current?.focus();
    void app.attempt(work);
  };
  const send = async () => {
    if (isEmpty || isSending || standing === "waiting") return;
    if (isOthers) return act(() => sessions.requestInput({ sessionId }));
    setSending(true);
    const contentJson = contentWith(text, attachments);
    const sent = await app.attempt(() =>
      sessions.sendPrompt({ sessionId, text, contentJson, idempotencyKey: key.current }),
    );
    setSending(false);
    if (!sent) return;
    key.current = crypto.randomUUID();
    setCaret(undefined);
    app.drafts.clear(sessionId);
    setDraft(app.drafts.get(sessionId));
  };
  const add = async (files: readonly File[]) => {
    const found = await Promise.all(files.map(attach));
    for (const refusal of found) if (typeof refusal === "string") app.say(refusal, "error");
    const added = found.filter((each) => typeof each !== "string");
    change({ attachments: [...app.drafts.get(sessionId).attachments, ...added] });
  };
  /** Attaches pasted or dropped files; anything else is left to the browser. */
  const take = (event: Event, data: DataTransfer | null) => {
    if (!data || data.files.length === 0) return;
    event.preventDefault();
    void add([...data.files]);
  };
  const interrupt = () => void app.attempt(() => sessions.interrupt({ sessionId }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestionKeys.current?.(event) || recall(event)) event.preventDefault();
    else if (sends(event)) {
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
      <Attached attachments={attachments} onChange={(left) => change({ attachments: left })} />
      {trigger && (
        <Suggestions
          app={app}
          sessionId={sessionId}
          trigger={trigger}
          keys={suggestionKeys}
          onPick={pick}
          onClose={() => setCaret(undefined)}
          onActive={setActive}
        />
      )}
      <textarea
        ref={box}
        aria-label="Prompt"
        placeholder={placeholderOf(standing, busy)}
        rows={1}
        value={text}
        aria-autocomplete="list"
        aria-controls={active === undefined ? undefined : "suggestions"}
        aria-activedescendant={active}
        onInput={({ currentTarget }) => {
          change({ text: currentTarget.value });
          setCaret(currentTarget.selectionStart);
        }}
        onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setCaret(undefined)}
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

/** Fits the field's height to its text in browsers without `field-sizing`. */
function grow(box: HTMLTextAreaElement | null): void {
  if (!box || CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
}

function placeholderOf(standing: InputStatus["type"], busy: boolean): string {
  if (standing === "waiting") return "Write your prompt while you wait";
  if (standing === "free to ask" || standing === "refused")
    return "Write your prompt; Enter asks for the input";
  return busy ? "Add to this turn, or queue for the next one" : "What should the agent do?";
}
