import type { JsonObject } from "../../json.ts";
import type { RpcId } from "../jsonrpc/envelope.ts";
import { objectAt, shown, stringAt } from "../spelling.ts";
import { ASK_TOOL, askUser, type ClientQuestion } from "./ask-user.ts";
import { type Calls, EXTENSION, isOurs, notification, type Outcome } from "./calls.ts";
import { clientMethodFor } from "./client-methods.ts";
import { elicit } from "./elicit.ts";
import { answerFrom, optionsFor } from "./permissions.ts";
import { shownCall } from "./tool-calls.ts";

/** The agent's questions to its client that are not answered yet. */
export class ClientQuestions {
  readonly #calls: Calls;
  /** The protocol's request ids, by canonical id. */
  readonly #open = new Map<string, RpcId>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The line that asks; undefined if this client can't be asked that. */
  ask(
    requestId: string,
    question: ClientQuestion | undefined,
    settle: (outcome: Outcome) => void,
  ): JsonObject | undefined {
    if (!question) return undefined;
    const { method, params, answer } = question;
    const line = this.#calls.request(method, params, (outcome) => {
      this.#open.delete(requestId);
      settle(outcome.ok ? { ok: true, result: answer(outcome.result) } : outcome);
    });
    this.#open.set(requestId, line.id as RpcId);
    return line;
  }

  /** Withdraws a question; returns the lines that do so. */
  withdraw(canonicalId: string): readonly unknown[] {
    const requestId = this.#open.get(canonicalId);
    this.#open.delete(canonicalId);
    if (requestId === undefined || !this.#calls.forget(requestId)) return [];
    return [notification("$/cancel_request", { requestId })];
  }
}

/** How to ask a client with these capabilities; undefined if it can't be asked. */
export function questionFor(
  request: JsonObject,
  sessionId: string,
  capabilities: JsonObject,
): ClientQuestion | undefined {
  if (request.subtype === "can_use_tool") {
    // Our own programs read the whole question from the permission request.
    const isForUser = request.tool_name === ASK_TOOL && !isOurs(capabilities);
    const hasForms = "form" in objectAt(capabilities, "elicitation");
    return (isForUser && askUser(request, sessionId, hasForms)) || permission(request, sessionId);
  }
  if (request.subtype === "elicitation" && !isOurs(capabilities))
    return elicit(request, sessionId, capabilities);
  const [method, known] = clientMethodFor(request) ?? [];
  if (method !== undefined && known && clientDoes(method, capabilities))
    return { method, params: { sessionId, ...known.params(request) }, answer: known.answer };
  return isOurs(capabilities)
    ? { method: EXTENSION.request, params: { sessionId, request }, answer: (result) => result }
    : undefined;
}

function permission(request: JsonObject, sessionId: string): ClientQuestion {
  const input = objectAt(request, "input");
  const toolCall = {
    toolCallId: stringAt(request, "tool_use_id") ?? "",
    ...shownCall(shown(request.tool_name), input),
    status: "pending",
    rawInput: input,
  };
  const params = { sessionId, toolCall, options: optionsFor(request) };
  return {
    method: "session/request_permission",
    params,
    answer: (result) => answerFrom(request, result),
  };
}

function clientDoes(method: string, capabilities: JsonObject): boolean {
  const files = objectAt(capabilities, "fs");
  if (method === "fs/read_text_file") return files.readTextFile === true;
  return method === "fs/write_text_file" ? files.writeTextFile === true : capabilities.terminal === true;
}
