import { randomUUID } from "node:crypto";
import { NO_USAGE, type ResultMessage } from "@agentwire/protocol/messages";

/** The one result of a process that never got to a turn; `code` is the wire's name for why, where it has one. */
export function startupFailure(reason: string, code?: string): ResultMessage {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: [reason],
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    ...(code !== undefined && { startup_failure_reason: code }),
    session_id: randomUUID(),
    uuid: randomUUID(),
  };
}
