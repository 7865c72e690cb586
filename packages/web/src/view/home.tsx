import { hrefOf } from "../route.ts";
import type { State } from "../state.ts";

/** What there is to do when no session is open. */
export function Home({ state: { sessions, waiting } }: { readonly state: State }) {
  const next = waiting[0];
  return (
    <div class="home">
      <h1>{waiting.length > 0 ? "An agent waits for you" : "Nothing needs you now"}</h1>
      <p>
        {sessions.length === 0
          ? "A session is a conversation with an agent in one of your folders. It goes on whether or not somebody watches."
          : "Sessions that ask, failed or run come first in the list."}
      </p>
      <p class="actions">
        {next && (
          <a class="button primary" href={hrefOf({ view: "session", id: next.sessionId })}>
            Go to the question
          </a>
        )}
        <a class={next ? "button" : "button primary"} href={hrefOf({ view: "new" })}>
          New session
        </a>
      </p>
    </div>
  );
}
