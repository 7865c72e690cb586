import { errorDraft } from "./events/error.ts";
import type { Journal } from "./journal.ts";
import type { StartRefusal } from "./start-refusal.ts";
import type { SessionState } from "./state.ts";

/** The agent calls the conversation otherwise than was thought, or has none; only if something was said in it is that a loss. */
export function refusedConversation(
  refusal: StartRefusal,
  journal: Journal,
  state: SessionState,
  hadTurns: boolean,
): void {
  const agentSessionId = refusal === "taken" ? state.record.id : "";
  if (agentSessionId === "" && hadTurns)
    journal.note([
      errorDraft({
        code: "conversation_lost",
        message: "The agent no longer has this conversation: it continues without the earlier messages.",
      }),
    ]);
  state.tell([], [state.change({ agentSessionId })]);
}
