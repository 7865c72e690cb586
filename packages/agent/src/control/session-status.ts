import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import type { ModelMessage } from "../model/model.ts";
import { sessionInit, toolDefinitions } from "../session/init.ts";
import type { Session } from "../session/session.ts";

/** The status of a session, including the init message that a turn would start with now. */
export function sessionStatus(
  session: Session,
  wantsMessages = false,
): ResponseOf<typeof hostRequests, "session_status"> {
  const { inbox, tools, outlet, history, gate } = session.context;
  return {
    running: session.isRunning,
    session_id: outlet.sessionId,
    queued_messages: inbox.length,
    permission_modes: [...gate.modes],
    init: {
      ...sessionInit(session.context, []),
      session_id: outlet.sessionId,
      tool_definitions: toolDefinitions(tools().values()),
    },
    ...(wantsMessages && { messages: history.messages.map(asMessage) }),
  };
}

/** A message of the history without the reminders that the agent added to it. */
function asMessage({ role, content }: ModelMessage) {
  const said =
    typeof content === "string"
      ? content
      : content.filter((block) => block.type !== "text" || !block.text.startsWith("<system-reminder>"));
  return { type: role, message: { role, content: said } };
}
