import type { JsonObject } from "../../json.ts";
import type { AssistantMessage } from "../../messages/assistant.ts";
import { isFailure, type ResultMessage } from "../../messages/result.ts";
import type { UserMessage } from "../../messages/user.ts";
import { objectsAt, withoutEmpty } from "../spelling.ts";
import { withToolObjects } from "../tool-objects.ts";

/** An error, with a code for programs. */
export const failure = (code: string, message: string): JsonObject => ({
  type: "error",
  error: { code, message },
});

/** A message on the user's side of the conversation, such as tool results. */
export function userLine({ message, ...rest }: UserMessage): JsonObject {
  return withoutEmpty(
    { ...rest, message: { type: "message", content: message.content } },
    "parent_tool_use_id",
  );
}

/** The description of a session. */
export function initLine(init: JsonObject): JsonObject {
  const line = withToolObjects(init);
  const names = Array.isArray(line.tools) ? line.tools : [];
  // The Dart dialect's tools are objects even if only the name is known.
  const tools =
    objectsAt(line, "tools").length > 0 ? line.tools : names.map((name) => ({ name, description: "" }));
  return withoutEmpty({ ...line, tools }, "uuid", "session_id");
}

/** A reply, with its model and usage next to the message. */
export function assistantLine({ message, ...rest }: AssistantMessage): JsonObject {
  const { content, model, usage } = message;
  return withoutEmpty(
    { ...rest, message: { type: "message", content }, model, usage },
    "uuid",
    "session_id",
    "parent_tool_use_id",
    "model",
  );
}

/**
 * The end of a turn, with the dialect's own figures next to the official ones. On the official wire a turn
 * whose model call failed is a success with an error; here the subtype alone decides, and `error` says what
 * went wrong.
 */
export function resultLine(result: ResultMessage): JsonObject {
  const { type, subtype, session_id, usage, ...official } = result;
  const figures = { turn_count: result.num_turns, duration_seconds: result.duration_ms / 1000 };
  const isTold = !isFailure(result) || subtype.startsWith("error");
  const ending = isTold ? { subtype } : { subtype: "error_during_execution", official_subtype: subtype };
  const error = isFailure(result) ? { error: errorOf(result) } : {};
  return withoutEmpty(
    { type, ...ending, session_id, ...figures, usage, ...error, ...official },
    "session_id",
    "uuid",
  );
}

const errorOf = ({ errors = [], result, subtype }: ResultMessage) => errors.join("\n") || result || subtype;
