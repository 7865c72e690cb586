import type { JsonObject } from "../json.ts";

const MESSAGE = ["type", "event", "parent_tool_use_id", "api_message_id", "session_id", "uuid"];
const EVENT = ["type", "index", "delta"];
const DELTA = ["type", "text"];

/** Characters that JSON does not escape and that no line splitter cuts at. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Writes a piece of a reply's text as JSON, like `JSON.stringify` but in half the time: most lines of an
 * agent are such pieces. Undefined for everything else, and for a piece whose fields differ from our agent's,
 * in name or order.
 */
export function encodeTextDelta(message: JsonObject): string | undefined {
  if (message.type !== "stream_event") return undefined;
  const event = message.event as JsonObject;
  if (event?.type !== "content_block_delta") return undefined;
  const delta = event.delta as JsonObject;
  if (delta?.type !== "text_delta") return undefined;
  if (!hasKeys(message, MESSAGE) || !hasKeys(event, EVENT) || !hasKeys(delta, DELTA)) return undefined;
  const { parent_tool_use_id: parent, api_message_id, session_id, uuid } = message;
  const { index } = event;
  const { text } = delta;
  if (!Number.isSafeInteger(index) || !isPlain(api_message_id) || !isPlain(session_id) || !isPlain(uuid))
    return undefined;
  if (typeof text !== "string" || !(parent === null || isPlain(parent))) return undefined;
  return (
    `{"type":"stream_event","event":{"type":"content_block_delta","index":${index},` +
    `"delta":{"type":"text_delta","text":${PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)}}},` +
    `"parent_tool_use_id":${parent === null ? "null" : `"${parent}"`},"api_message_id":"${api_message_id}",` +
    `"session_id":"${session_id}","uuid":"${uuid}"}`
  );
}

const isPlain = (value: unknown): value is string => typeof value === "string" && PLAIN.test(value);

/** Whether an object has exactly these keys, in this order. */
function hasKeys(value: JsonObject, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in value) if (key !== keys[at++]) return false;
  return at === keys.length;
}
