import type { JsonObject } from "../json.ts";
import { brief, objectAt } from "./spelling.ts";

/**
 * What is wrong with a prompt whose content or session has an impossible type; undefined if nothing is. The
 * tolerant reader would turn a number into a text, and so a mistake into a prompt.
 */
export function promptFault(value: JsonObject): string | undefined {
  const { content } = objectAt(value, "message");
  const { session_id } = value;
  // The reader reports missing fields.
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    return `message.content should be a string or a list of content blocks, not ${brief(content)}`;
  if (session_id !== undefined && session_id !== null && typeof session_id !== "string")
    return `session_id should be a string, not ${brief(session_id)}`;
  return undefined;
}
