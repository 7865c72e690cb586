import { SessionStatus, type UserInput } from "@agentwire/api";
import type { Facts } from "@agentwire/view/facts";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import type { Client } from "../client.ts";

const CONTINUE = "Continue from where you left off.";
const PAGE = 500;

interface FailedProps {
  readonly app: App;
  readonly sessionId: string;
  readonly facts: Facts;
}

/** Says why the last turn failed, and offers to continue it or to send its prompt again. */
export function FailedTurn({ app, sessionId, facts }: FailedProps) {
  const [isBusy, setBusy] = useState(false);
  const { status, turnFailure, queue } = facts;
  const isAtRest = status === SessionStatus.IDLE || status === SessionStatus.FAILED;
  if (turnFailure === "" || !isAtRest || queue.length > 0) return null;
  const send = (prompt: () => Promise<Pick<UserInput, "text" | "contentJson"> | undefined>) => async () => {
    setBusy(true);
    await app.attempt(async () => {
      const found = await prompt();
      if (!found) return app.say("The prompt is no longer stored; type it again.", "error");
      const { text, contentJson } = found;
      await app.client.sessions.sendPrompt({
        sessionId,
        text,
        contentJson,
        idempotencyKey: crypto.randomUUID(),
      });
    });
    setBusy(false);
  };
  return (
    <section class="card failed-turn" aria-label="The last turn failed">
      <p>
        <strong>The last turn did not finish:</strong> {turnFailure}
      </p>
      <div class="choices">
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          title="Keep what it has done so far and continue"
          onClick={send(async () => ({ text: CONTINUE, contentJson: "" }))}
        >
          Continue
        </button>
        <button
          type="button"
          disabled={isBusy}
          title="Send the same prompt again"
          onClick={send(() => lastPrompt(app.client, sessionId))}
        >
          Retry
        </button>
      </div>
    </section>
  );
}

/** The last prompt of a session; undefined if it is no longer stored. */
async function lastPrompt({ sessions }: Client, sessionId: string): Promise<UserInput | undefined> {
  for (let fromSeq = 0n; ; ) {
    const page = await sessions.listEvents({ sessionId, fromSeq, backwards: true, pageSize: PAGE });
    const found = page.events.findLast(({ body }) => body.case === "userInput");
    if (found?.body.case === "userInput") return found.body.value;
    const first = page.events[0];
    if (!page.more || !first) return undefined;
    fromSeq = first.seq;
  }
}
