import { type Handlers, ProtocolError } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { errorMessage } from "@agentwire/protocol/support";
import type { SessionContext } from "../session/context.ts";
import { nextCall } from "../session/next-call.ts";
import { History } from "../turn/history.ts";
import { askBeside } from "../turn/side-query.ts";

/** How many may be open at once: each is a call that is paid for. */
const MAX_OPEN = 4;
const MAX_TOKENS = 8_192;
const NOTE =
  "This is a question on the side. Answer it from what you know of the conversation, briefly and without calling a tool; the conversation goes on afterwards as if it had not been asked.";

/** The request that asks the model something beside the conversation, in the middle of a turn too. */
export function sideQuestionControl(session: SessionContext): Handlers<typeof hostRequests> {
  let open = 0;
  return {
    async side_question({ question, history: earlier = [] }, { requestId, signal }) {
      if (question.trim() === "") throw new ProtocolError("refused", "no question was given");
      if (open >= MAX_OPEN)
        throw new ProtocolError("refused", "too many open questions; ask again when one is answered", {
          errorCode: "side_question_busy",
        });
      const { history, outlet } = session;
      const known = new History(history.messages);
      for (const { question: asked, response } of earlier) {
        known.add("user", asked);
        known.add("assistant", response);
      }
      outlet.tell({
        type: "system",
        subtype: "control_request_progress",
        request_id: requestId,
        status: "started",
      });
      const aside = { call: nextCall(session), messages: known.messages, maxTokens: MAX_TOKENS };
      open++;
      try {
        const response = await askBeside(session, { ...aside, question: `${question}\n\n${NOTE}` }, signal);
        return { response: response === "" ? null : response, synthetic: false };
      } catch (error) {
        if (signal.aborted) return { response: null, synthetic: false };
        throw new ProtocolError("refused", `the question was not answered: ${errorMessage(error)}`, {
          cause: error,
        });
      } finally {
        open--;
      }
    },
  };
}
