import { type Handlers, ProtocolError } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { errorMessage } from "@agentwire/protocol/support";
import type { SessionContext } from "../session/context.ts";
import { nextCall } from "../session/next-call.ts";
import { History } from "../turn/history.ts";
import { askBeside } from "../turn/side-query.ts";

/** The maximum number of open questions: each one is a billed model call. */
const MAX_OPEN = 4;
const MAX_TOKENS = 8_192;
const NOTE =
  "This is a side question. Answer it briefly from what you know of the conversation, without calling a tool; afterwards the conversation continues as if it had not been asked.";

/** The request that asks the model a question outside the conversation, even during a turn. */
export function sideQuestionControl(session: SessionContext): Handlers<typeof hostRequests> {
  let open = 0;
  return {
    async side_question({ question, history: earlier = [] }, { requestId, signal }) {
      if (question.trim() === "") throw new ProtocolError("refused", "the question is empty");
      if (open >= MAX_OPEN)
        throw new ProtocolError("refused", "too many open questions; try again when one has been answered", {
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
