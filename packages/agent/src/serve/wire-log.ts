import type { AgentMessage, HostMessage, JsonObject } from "@agentwire/protocol";
import type { Log } from "@agentwire/protocol/support";

/** Logs the messages between host and agent: their types, not their contents, which may be secret. */
export class WireLog {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs a message from the host. */
  readonly received = (message: HostMessage): void => this.#log.debug("received", factsOf(message));

  /** Logs a message from the agent, except stream events: there are too many. */
  readonly sent = (message: AgentMessage): void => {
    if (message.type !== "stream_event") this.#log.debug("sent", factsOf(message));
  };
}

function factsOf(message: AgentMessage | HostMessage): JsonObject {
  const { type, session_id, uuid } = message as JsonObject;
  const named = { type, session_id, uuid };
  switch (message.type) {
    case "control_request":
      return { ...named, subtype: message.request.subtype, request_id: message.request_id };
    case "control_response":
      return { ...named, subtype: message.response.subtype, request_id: message.response.request_id };
    case "assistant":
    case "user":
      return { ...named, content: kindsOf(message.message.content) };
    case "result": {
      const { subtype, is_error, num_turns, duration_ms, api_error_status } = message;
      return { ...named, subtype, is_error, num_turns, duration_ms, api_error_status };
    }
    case "system":
      return { ...named, subtype: message.subtype };
    default:
      return named;
  }
}

function kindsOf(content: string | readonly { readonly type: string; readonly name?: unknown }[]): string {
  if (typeof content === "string") return "text";
  return content.map(({ type, name }) => (typeof name === "string" ? `${type} ${name}` : type)).join(", ");
}
