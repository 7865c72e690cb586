import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import { toolDefinitions } from "../session/init.ts";
import type { Runtime } from "../session/runtime.ts";

/** How a session stands, with the message that a turn would open with now. */
export function sessionStatus({
  session,
  outlet,
}: Pick<Runtime, "session" | "outlet">): ResponseOf<typeof hostRequests, "session_status"> {
  const { inbox, init, tools } = session.parts;
  return {
    running: session.isRunning,
    session_id: outlet.sessionId,
    queued_messages: inbox.length,
    init: {
      ...init([]),
      session_id: outlet.sessionId,
      tool_definitions: toolDefinitions(tools().values()),
    },
  };
}
