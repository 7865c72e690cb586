import { SessionStatus } from "@agentwire/api";
import type { QueuedPrompt } from "@agentwire/view/facts";
import type { App } from "../app.ts";

interface QueueProps {
  readonly app: App;
  readonly sessionId: string;
  readonly queue: readonly QueuedPrompt[];
  readonly status: SessionStatus;
}

/** Prompts that wait for their turn, and can still be withdrawn. */
export function Queue({ app, sessionId, queue, status }: QueueProps) {
  // The one that an agent is being started for is about to begin.
  if (queue.length === 0 || status === SessionStatus.IDLE) return null;
  const cancel = async (promptId: string) => {
    const answer = await app.attempt(() => app.client.sessions.cancelPrompt({ sessionId, promptId }));
    if (answer && !answer.cancelled) app.say("It has already started.");
  };
  return (
    <section class="queue" aria-label="Queued prompts">
      <ul>
        {queue.map(({ id, text }) => (
          <li key={id}>
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
