import { errorDraft } from "./events/error.ts";
import type { Journal } from "./journal.ts";
import type { SessionState } from "./state.ts";

/** The agent calls the conversation otherwise than was thought, or has none any more, which is the empty id. */
export function takeConversation(journal: Journal, state: SessionState, agentSessionId: string): void {
  if (agentSessionId === "")
    journal.note([
      errorDraft({
        code: "conversation_lost",
        message: "The agent no longer has this conversation: it goes on without remembering what was said.",
      }),
    ]);
  state.tell([], [state.change({ agentSessionId })]);
}
