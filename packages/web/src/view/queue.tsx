import { SessionStatus } from "@agentwire/api";
import type { QueuedPrompt } from "@agentwire/view/facts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";

interface QueueProps {
  readonly app: App;
  readonly sessionId: string;
  readonly queue: readonly QueuedPrompt[];
  readonly status: SessionStatus;
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowUp", -1],
  ["ArrowDown", 1],
]);

/** The queued prompts. They can be withdrawn, and moved by dragging the handle or with the arrow keys. */
export function Queue({ app, sessionId, queue, status }: QueueProps) {
  const list = useRef<HTMLUListElement>(null);
  /** The dragged prompt and its new position. */
  const [drag, setDrag] = useState<{ readonly id: string; readonly to: number } | undefined>(undefined);
  /** The prompt that was moved by a key and keeps the focus. */
  const focused = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const at = queue.findIndex(({ id }) => id === focused.current);
    list.current?.children[at]?.querySelector<HTMLElement>(".handle")?.focus();
    focused.current = undefined;
  }, [queue]);
  // While the session is idle, a queued prompt is about to start.
  if (queue.length === 0 || status === SessionStatus.IDLE) return null;
  const cancel = async (promptId: string) => {
    const answer = await app.attempt(() => app.client.sessions.cancelPrompt({ sessionId, promptId }));
    if (answer && !answer.cancelled) app.say("It has already started.");
  };
  const move = async (promptId: string, to: number) => {
    const from = queue.findIndex(({ id }) => id === promptId);
    if (to < 0 || to >= queue.length || to === from) return;
    const answer = await app.attempt(() =>
      app.client.sessions.movePrompt({ sessionId, promptId, position: to + 1 }),
    );
    if (answer && !answer.moved) app.say("It has already started.");
  };
  const placeAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const at = rows.findIndex(({ bottom }) => y < bottom);
    return at === -1 ? rows.length - 1 : at;
  };
  const shown = drag ? reordered(queue, drag.id, drag.to) : queue;
  return (
    <section class="queue" aria-label="Queued prompts">
      <ul ref={list}>
        {shown.map(({ id, text }, index) => (
          <li key={id} class={drag?.id === id ? "dragged" : ""}>
            {queue.length > 1 && (
              <button
                type="button"
                class="handle quiet small"
                aria-label={`Move “${text.slice(0, 40)}”: ${index + 1} of ${queue.length}; arrow keys move it`}
                title="Drag, or use the arrow keys"
                onKeyDown={(event) => {
                  const step = STEPS.get(event.key);
                  if (step === undefined) return;
                  event.preventDefault();
                  focused.current = id;
                  void move(id, index + step);
                }}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDrag({ id, to: index });
                }}
                onPointerMove={({ clientY }) => drag && setDrag({ id: drag.id, to: placeAt(clientY) })}
                onPointerUp={() => {
                  if (drag) void move(drag.id, drag.to);
                  setDrag(undefined);
                }}
                onPointerCancel={() => setDrag(undefined)}
              >
                ⠿
              </button>
            )}
            <span class="tag">queued</span>
            <span class="queue-text">{text}</span>
            <button type="button" class="small quiet" onClick={() => void cancel(id)}>
              Withdraw
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function reordered(queue: readonly QueuedPrompt[], id: string, to: number): readonly QueuedPrompt[] {
  const moved = queue.find((prompt) => prompt.id === id);
  return moved ? queue.filter((prompt) => prompt !== moved).toSpliced(to, 0, moved) : queue;
}
