import type { JsonObject } from "../json.ts";
import { readMessage } from "../lines/decode.ts";
import { type AgentMessage, agentMessages, hostMessages } from "../message.ts";
import type { Dialect } from "./dialect.ts";
import { expectingDefaults, shown, withoutEmpty } from "./spelling.ts";
import { withNamedTools, withToolObjects } from "./tool-objects.ts";

/**
 * The wire of 1.0 and 1.1, as documented and as the real 1.0 speaks it: shorter messages, tools that may be
 * objects with schemas, failures in a single `error` string.
 */
export const claudeV1: Dialect = {
  name: "claude-v1",
  versions: { min: "1.0.0", max: "1.1.x" },
  unknown: "log_and_skip",
  forHost: () => ({
    decode: (value, sink) => readMessage(agentMessages, modern(value), expectingDefaults(sink)),
    encode: (message) => [message],
  }),
  forAgent: () => ({
    decode: (value, sink) => readMessage(hostMessages, value, expectingDefaults(sink)),
    encode: (message) => [old(message)],
  }),
};

function modern(value: JsonObject): JsonObject {
  if (value.type === "system" && value.subtype === "init") return withNamedTools(value);
  if (value.type === "result" && value.subtype === "error") return withErrorList(value);
  return value;
}

function withErrorList(result: JsonObject): JsonObject {
  const { error, ...rest } = result;
  const errors = Array.isArray(rest.errors) ? rest.errors : error === undefined ? [] : [shown(error)];
  return { ...rest, subtype: "error_during_execution", is_error: true, errors };
}

function old(message: AgentMessage): unknown {
  switch (message.type) {
    case "system":
      return plain(message.subtype === "init" ? withToolObjects(message) : message);
    case "result":
      return message.subtype === "error_during_execution" ? withErrorString(message) : plain(message);
    case "assistant":
    case "user":
    case "stream_event":
      return plain(message);
    default:
      return message;
  }
}

/** Fields that 1.0 did not have are omitted if empty. */
const plain = (message: JsonObject) => withoutEmpty(message, "uuid", "session_id", "parent_tool_use_id");

function withErrorString(result: JsonObject): JsonObject {
  const [first, ...more] = Array.isArray(result.errors) ? result.errors : [];
  const { errors: _, ...rest } = result;
  // A single error fits the old field; for several, the list is added, which old readers ignore.
  return plain({
    ...(more.length > 0 ? result : rest),
    subtype: "error",
    ...(first !== undefined && { error: first }),
  });
}
