import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import { sessionInit, toolDefinitions } from "../session/init.ts";
import type { Session } from "../session/session.ts";

/** How a session stands, with the message that a turn would open with now. */
export function sessionStatus(session: Session): ResponseOf<typeof hostRequests, "session_status"> {
  const { inbox, tools, outlet } = session.context;
  return {
    running: session.isRunning,
    session_id: outlet.sessionId,
    queued_messages: inbox.length,
    init: {
      ...sessionInit(session.context, []),
      session_id: outlet.sessionId,
      tool_definitions: toolDefinitions(tools().values()),
    },
  };
}
