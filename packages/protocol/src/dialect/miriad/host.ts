import type { JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import { type AgentMessage, agentMessages, type HostMessage } from "../../message.ts";
import { failed, statusOf, succeeded, success } from "../answers.ts";
import type { Translation } from "../dialect.ts";
import { fromSystemLine } from "../other-types.ts";
import { expectingDefaults, objectAt, shown, stringAt, withoutEmpty } from "../spelling.ts";
import { NOTHING_RUNS } from "./agent-lines.ts";
import { canonicalQuestion } from "./questions.ts";
import { toCanonicalMention, toCanonicalTools } from "./tool-names.ts";

/** Speaks the miriad dialect for a host. */
export class MiriadHost implements Translation<AgentMessage, HostMessage> {
  /** Answers of the miriad dialect name no request: they arrive in the order of the questions. */
  readonly #interrupts: string[] = [];
  readonly #statuses: string[] = [];
  readonly #others: string[] = [];

  decode(value: JsonObject, sink: Sink<AgentMessage>): void {
    const tolerant = expectingDefaults(sink);
    for (const message of this.#canonical(value)) readMessage(agentMessages, message, tolerant);
  }

  encode(message: HostMessage): readonly unknown[] {
    if (message.type === "user") return [withoutEmpty(message, "parent_tool_use_id")];
    if (message.type !== "control_request") return [message];
    switch (message.request.subtype) {
      case "interrupt":
        this.#interrupts.push(message.request_id);
        return [{ type: "control", action: "interrupt" }];
      case "session_status":
        this.#statuses.push(message.request_id);
        return [{ type: "control", action: "status" }];
      default:
        // An addition: agents that know the full control protocol accept it in this dialect too.
        this.#others.push(message.request_id);
        return [message];
    }
  }

  #canonical(value: JsonObject): readonly JsonObject[] {
    switch (value.type) {
      case "system":
        return value.subtype === "interrupted" ? this.#interrupted(value) : [this.#decodeSystem(value)];
      case "assistant":
        return [withCanonicalTools(value)];
      case "result":
        // An interrupt that arrived after `interrupted` gets no separate answer.
        return [...this.#settleInterrupts(), canonicalResult(value)];
      case "control_request":
        return [canonicalQuestion(value)];
      case "control_response":
        this.#answered(stringAt(objectAt(value, "response"), "request_id"));
        return [value];
      default:
        return [toCanonicalMention(value)];
    }
  }

  /** One `interrupted` answers all interrupts so far: miriad sends it once per turn. */
  #interrupted(value: JsonObject): readonly JsonObject[] {
    return this.#interrupts.length > 0 ? this.#settleInterrupts() : [value];
  }

  #settleInterrupts(): readonly JsonObject[] {
    return this.#interrupts.splice(0).map((id) => success(id, {}));
  }

  #answered(requestId: string | undefined): void {
    const place = requestId === undefined ? -1 : this.#others.indexOf(requestId);
    if (place >= 0) this.#others.splice(place, 1);
  }

  #decodeSystem(value: JsonObject): JsonObject {
    switch (value.subtype) {
      case "tool_result": {
        const { subtype: _, tool_result: result, ...rest } = value;
        return {
          ...rest,
          type: "user",
          message: { role: "user", content: [result] },
          parent_tool_use_id: null,
        };
      }
      case "status":
        return "running" in value ? (succeeded(this.#statuses.shift(), statusOf(value)) ?? value) : value;
      case "error":
        return this.#decodeError(value);
      default:
        return toCanonicalMention(fromSystemLine(value));
    }
  }

  #decodeError(value: JsonObject): JsonObject {
    const text = shown(value.message);
    if (text === NOTHING_RUNS) return succeeded(this.#interrupts.shift(), {}) ?? value;
    if (REFUSES_REQUESTS.test(text)) return failed(this.#others.shift(), text) ?? value;
    return value;
  }
}

/** The reply of an agent that has no control requests; its other unknown types answer none of ours. */
const REFUSES_REQUESTS = /^unknown message type(\W+control_request)?\W*$/i;

function withCanonicalTools(value: JsonObject): JsonObject {
  const message = objectAt(value, "message");
  return { ...value, message: { ...message, content: toCanonicalTools(message.content) } };
}

function canonicalResult(value: JsonObject): JsonObject {
  if (value.subtype !== "error" && value.subtype !== "cancelled") return value;
  const errors = Array.isArray(value.errors)
    ? value.errors
    : typeof value.result === "string"
      ? [value.result]
      : [];
  const reason = value.subtype === "cancelled" ? { terminal_reason: "aborted_streaming" } : {};
  return { ...value, subtype: "error_during_execution", is_error: true, errors, ...reason };
}
