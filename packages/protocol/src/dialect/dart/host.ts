import { isJsonObject, type JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import { type AgentMessage, agentMessages, type HostMessage } from "../../message.ts";
import { failed, success } from "../answers.ts";
import type { Translation } from "../dialect.ts";
import { fromSystemLine } from "../other-types.ts";
import { expectingDefaults, objectAt, shown, stringAt } from "../spelling.ts";
import { withNamedTools } from "../tool-objects.ts";
import { canonicalInitialize, canonicalUpdate, dartAnswer } from "./spelling.ts";

/** Speaks the Dart dialect for a host. */
export class DartHost implements Translation<AgentMessage, HostMessage> {
  #created = false;

  decode(value: JsonObject, sink: Sink<AgentMessage>): void {
    readMessage(agentMessages, canonical(value), expectingDefaults(sink));
  }

  encode(message: HostMessage): readonly unknown[] {
    switch (message.type) {
      case "user": {
        const type = this.#created ? "session.send" : "session.create";
        this.#created = true;
        return [{ ...message, type }];
      }
      case "control_response": {
        const { response } = message;
        if (response.subtype !== "success") return [{ type: "callback.response", response }];
        return [
          {
            type: "callback.response",
            response: { ...response, response: dartAnswer(response.response ?? {}) },
          },
        ];
      }
      case "control_request":
        return [{ ...message, request: dartRequest(message.request) }];
      default:
        return [message];
    }
  }
}

function dartRequest(request: JsonObject): JsonObject {
  const { systemPrompt, ...rest } = request;
  if (request.subtype !== "initialize" || !Array.isArray(systemPrompt)) return request;
  return { ...rest, system_prompt: systemPrompt.join("\n\n") };
}

function canonical(value: JsonObject): JsonObject {
  switch (value.type) {
    case "control_response":
      return "request_id" in value ? canonicalResponse(value) : value;
    case "session.created":
      return { ...value, type: "system", subtype: "session_created" };
    case "callback.request":
      return { ...value, type: "control_request", request: canonicalRequest(objectAt(value, "request")) };
    case "error":
      return canonicalError(value);
    case "system":
      return value.subtype === "init" ? withNamedTools(value) : fromSystemLine(value);
    case "assistant":
      return canonicalAssistant(value);
    case "user":
      return { ...value, message: { role: "user", content: objectAt(value, "message").content } };
    case "result":
      return canonicalResult(value);
    default:
      return value;
  }
}

function canonicalResponse(value: JsonObject): JsonObject {
  return success(shown(value.request_id), canonicalInitialize(objectAt(value, "response")));
}

function canonicalRequest(request: JsonObject): JsonObject {
  const { permission_suggestions: suggestions, blocked_path: blocked, ...rest } = request;
  return {
    ...rest,
    ...(Array.isArray(suggestions) && { permission_suggestions: suggestions.map(canonicalUpdate) }),
    ...(typeof blocked === "string" && { blocked_path: blocked }),
  };
}

function canonicalError(value: JsonObject): JsonObject {
  const { code, message } = objectAt(value, "error");
  const refused = failed(
    stringAt(value, "request_id"),
    shown(message),
    typeof code === "string" ? code : undefined,
  );
  return refused ?? { type: "system", subtype: "error", message, code };
}

function canonicalAssistant(value: JsonObject): JsonObject {
  const { message, model, usage, ...rest } = value;
  if (!isJsonObject(message)) return value;
  const beside = { ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) };
  return { ...rest, message: { role: "assistant", ...message, ...beside } };
}

function canonicalResult(value: JsonObject): JsonObject {
  const { turn_count, duration_seconds, error, official_subtype, ...official } = value;
  const isError = stringAt(value, "subtype")?.startsWith("error");
  const seconds = typeof duration_seconds === "string" ? Number(duration_seconds) : duration_seconds;
  return {
    ...(turn_count !== undefined && { num_turns: turn_count }),
    ...(typeof seconds === "number" && { duration_ms: Math.round(seconds * 1000) }),
    ...(typeof error === "string" && { errors: [error] }),
    ...(isError && { is_error: true }),
    ...official,
    ...(typeof official_subtype === "string" && { subtype: official_subtype }),
  };
}
