import { isJsonObject, type JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, agentMessages, type HostMessage } from "../../message.ts";
import { failed, statusOf, success } from "../answers.ts";
import type { Translation } from "../dialect.ts";
import { expectingDefaults, shown } from "../spelling.ts";
import { RPC_ERRORS, rpcId } from "./envelope.ts";

/** Speaks the JSON-RPC envelope for a host. */
export class JsonRpcHost implements Translation<AgentMessage, HostMessage> {
  #lastId = 0;
  /** JSON-RPC requests that stand for a canonical one. */
  readonly #asked = new Map<unknown, { readonly method: "cancel" | "status"; readonly requestId: string }>();

  decode(value: JsonObject, sink: Sink<AgentMessage>): void {
    const message = this.#open(value);
    if (message) readMessage(agentMessages, message, expectingDefaults(sink));
    else
      sink.malformed(new Malformed("unreadable", "neither a response nor a message", JSON.stringify(value)));
  }

  encode(message: HostMessage): readonly unknown[] {
    if (message.type === "user") {
      const { message: prompt, session_id } = message;
      return [
        this.#request("run", { prompt: prompt.content, ...(session_id !== undefined && { session_id }) }),
      ];
    }
    if (message.type !== "control_request") return [message];
    const method = METHODS.get(String(message.request.subtype));
    if (!method) return [message];
    const request = this.#request(method);
    this.#asked.set(request.id, { method, requestId: message.request_id });
    return [request];
  }

  #request(method: string, params?: JsonObject): JsonObject {
    this.#lastId++;
    return { jsonrpc: "2.0", id: this.#lastId, method, ...(params && { params }) };
  }

  #open(value: JsonObject): JsonObject | undefined {
    if (!("jsonrpc" in value)) return value;
    if (value.method === "message" && isJsonObject(value.params)) return value.params;
    const asked = this.#asked.get(rpcId(value.id));
    this.#asked.delete(rpcId(value.id));
    if (isJsonObject(value.error)) return refusal(value.id, value.error, asked);
    if (!isJsonObject(value.result)) return undefined;
    if (asked) return success(asked.requestId, asked.method === "status" ? statusOf(value.result) : {});
    return value.result.subtype === "cancelled" && value.result.type === "result"
      ? cancelled(value.result)
      : value.result;
  }
}

const METHODS: ReadonlyMap<string, "cancel" | "status"> = new Map([
  ["interrupt", "cancel"],
  ["session_status", "status"],
]);

function refusal(
  id: unknown,
  error: JsonObject,
  asked: { readonly method: string; readonly requestId: string } | undefined,
): JsonObject | undefined {
  const text = shown(error.message);
  // The canonical interrupt succeeds when nothing runs.
  if (asked?.method === "cancel" && error.code === RPC_ERRORS.notRunning) return success(asked.requestId, {});
  if (asked) return failed(asked.requestId, text, "refused");
  // A line that the agent could not even read belongs to no request.
  if (id === null) return { type: "system", subtype: "error", message: text };
  // Only a run can have been refused: it ends here.
  return { type: "result", subtype: "error_during_execution", is_error: true, errors: [text] };
}

function cancelled(result: JsonObject): JsonObject {
  return {
    terminal_reason: "aborted_streaming",
    errors: [],
    ...result,
    subtype: "error_during_execution",
    is_error: true,
  };
}
