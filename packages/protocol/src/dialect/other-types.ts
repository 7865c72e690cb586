import type { JsonObject } from "../json.ts";
import type { AgentMessage } from "../message.ts";

/** Types of the canonical wire that the other dialects have no place for: they tell about metadata and events, as system messages do. */
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

/** Such a message as a system message whose subtype is the canonical type; any other as it is. */
export const asSystemLine = (message: AgentMessage): JsonObject =>
  OTHER_TYPES.has(message.type)
    ? { ...message, type: "system", subtype: message.type }
    : (message as unknown as JsonObject);

/** The other way round. */
export function fromSystemLine(line: JsonObject): JsonObject {
  if (line.type !== "system" || !OTHER_TYPES.has(line.subtype)) return line;
  const { subtype, ...rest } = line;
  return { ...rest, type: subtype };
}
