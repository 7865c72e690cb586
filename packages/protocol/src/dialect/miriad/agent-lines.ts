import { isJsonObject, type JsonObject } from "../../json.ts";
import type { AssistantMessage } from "../../messages/assistant.ts";
import { isFailure, type ResultMessage } from "../../messages/result.ts";
import type { UserMessage } from "../../messages/user.ts";
import { objectAt, withoutEmpty } from "../spelling.ts";
import { toMiriadTools } from "./tool-names.ts";

/** The answer to an interrupt while idle. */
export const NOTHING_RUNS = "No turn is currently running";

/** An error outside any turn. */
export const errorNotice = (message: string): JsonObject => ({ type: "system", subtype: "error", message });

/** A complete reply. */
export function assistantLine(reply: AssistantMessage): JsonObject {
  const { role, content, model } = reply.message;
  const { uuid, session_id, parent_tool_use_id, error } = reply;
  const message = { role, content: toMiriadTools(content), model };
  return withoutEmpty(
    { type: "assistant", message, uuid, session_id, parent_tool_use_id, error },
    "uuid",
    "session_id",
    "parent_tool_use_id",
    "error",
  );
}

/** One line for each tool result of a message; miriad has no other messages on the user's side. */
export function toolResultLines({
  message: { content },
  tool_use_result,
}: UserMessage): readonly JsonObject[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      type: "system",
      subtype: "tool_result",
      tool_result: { ...block, content: withoutLineNumbers(block.content, tool_use_result) },
    }));
}

/** The model sees a file's lines with numbers; miriad shows the file unchanged. */
function withoutLineNumbers(content: unknown, data: unknown): unknown {
  const file = isJsonObject(data) ? objectAt(data, "file").content : undefined;
  if (typeof content !== "string" || typeof file !== "string") return content;
  // Anything else that replaces the file, such as a hook's text, is kept.
  return content.replace(/^ *\d+[\t→]/gm, "") === file ? file : content;
}

/** The end of a turn with that number of tool-use cycles. */
export function resultLine(result: ResultMessage, cycles: number, cancelled: boolean): JsonObject {
  const { type, duration_ms, is_error, session_id, usage, uuid, duration_api_ms, total_cost_usd, errors } =
    result;
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return withoutEmpty(
    {
      type,
      subtype: cancelled ? "cancelled" : isFailure(result) ? "error" : "success",
      duration_ms,
      is_error,
      num_turns: cycles,
      session_id,
      result: result.result,
      usage: { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens },
      uuid,
      duration_api_ms,
      total_cost_usd,
      // miriad puts the error in `result`; the list is added only if it says more.
      errors: errors?.every((error) => error === result.result) ? undefined : errors,
    },
    "session_id",
    "result",
    "uuid",
    "total_cost_usd",
    "errors",
  );
}
