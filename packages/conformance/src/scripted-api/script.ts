import type { ScriptBlock, ScriptError, ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** A reply with a single text. */
export function says(text: string, options: Partial<ScriptReply> = {}): ScriptReply {
  return { text, ...options };
}

/** A reply with a single tool call. */
export function calls(
  name: string,
  input: JsonObject,
  id?: string,
  options: Partial<ScriptReply> = {},
): ScriptReply {
  return { content: [toolUse(name, input, id)], ...options };
}

/** A tool call, for replies with several blocks. */
export function toolUse(name: string, input: JsonObject, id?: string): ScriptBlock {
  return id === undefined ? { type: "tool_use", name, input } : { type: "tool_use", id, name, input };
}

/** An answer with an error status. */
export function fails(
  status: number,
  type: string,
  message: string,
  options: Partial<ScriptError> = {},
): ScriptError {
  return { type: "error", status, error: { type, message }, ...options };
}
