import type { JsonObject } from "../json.ts";
import type { AgentMessage } from "../message.ts";

/** Types of the canonical wire that the other dialects lack; like system messages they carry metadata and events. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  "tool_progress",
  "tool_use_summary",
  "rate_limit_event",
  "conversation_reset",
  "prompt_suggestion",
  "auth_status",
  "active_goal",
  "transcript_mirror",
]);

/** A message of such a type as a system message whose subtype is the canonical type; any other unchanged. */
export const asSystemLine = (message: AgentMessage): JsonObject =>
  OTHER_TYPES.has(message.type)
    ? { ...message, type: "system", subtype: message.type }
    : (message as unknown as JsonObject);

/** The inverse of `asSystemLine`. */
export function fromSystemLine(line: JsonObject): JsonObject {
  if (line.type !== "system" || !OTHER_TYPES.has(line.subtype)) return line;
  const { subtype, ...rest } = line;
  return { ...rest, type: subtype };
}
