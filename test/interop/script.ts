import type { ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** A reply with a single text. */
export const say = (text: string): ScriptReply => ({ text });

/** A reply with a single tool call. */
export const use = (name: string, input: JsonObject, id = `toolu_${name}`): ScriptReply => ({
  content: [{ type: "tool_use", id, name, input }],
});
