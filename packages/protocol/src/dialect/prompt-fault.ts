import type { JsonObject } from "../json.ts";
import { brief, objectAt } from "./spelling.ts";

/**
 * What is wrong with a prompt whose content or session is of no kind that can be meant; undefined if nothing is. The tolerant
 * reader would make a text of a number, and so a question of a mistake.
 */
export function promptFault(value: JsonObject): string | undefined {
  const { content } = objectAt(value, "message");
  const { session_id } = value;
  // What is missing altogether is told by the reader.
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    return `message.content should be a string or a list of content blocks, not ${brief(content)}`;
  if (session_id !== undefined && session_id !== null && typeof session_id !== "string")
    return `session_id should be a string, not ${brief(session_id)}`;
  return undefined;
}
