import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import type { AgentMessage } from "../../message.ts";
import { RPC_ERRORS, type RpcId, rpcError, rpcResult } from "../jsonrpc/envelope.ts";
import { objectAt, shown, stringAt } from "../spelling.ts";
import { CLIENT_METHODS } from "./client-methods.ts";
import { outcomeFor, questionsOf } from "./permissions.ts";

type Say = (message: AgentMessage) => void;

/** A request of the agent, and the canonical requests made from it. */
interface Asked {
  readonly id: RpcId;
  /** The canonical requests that are still unanswered. */
  readonly open: Set<string>;
  readonly answers: JsonObject[];
  /** The result, once all are answered. */
  readonly result: (answers: readonly JsonObject[]) => JsonObject;
  /** The result if the turn is cancelled first; undefined if the agent has to wait for the answer anyway. */
  readonly cancelled: JsonObject | undefined;
  /** Whether an error in place of an answer counts as a denial. */
  readonly isPermission: boolean;
}

/** The agent's requests to its host that are not answered yet. */
export class AgentQuestions {
  readonly #asked = new Map<string, Asked>();

  /** Asks whether a tool may run; for a call that affects several files, asks about each, and all must be allowed. */
  permission(id: RpcId, params: JsonObject, known: JsonObject, say: Say): void {
    const result = (answers: readonly JsonObject[]) => ({
      outcome: outcomeFor(params, answers),
      ...(answers.length === 1 && { _meta: { agentwire: { answer: answers[0] } } }),
    });
    this.#ask(id, questionsOf(params, known), result, say, {
      cancelled: { outcome: { outcome: "cancelled" } },
      isPermission: true,
    });
  }

  /** Forwards a form, or a URL to open. */
  elicitation(id: RpcId, params: JsonObject, agent: string, say: Say): void {
    const { mode, message, url, elicitationId, requestedSchema } = params;
    const request = {
      subtype: "elicitation",
      mcp_server_name: agent,
      message: shown(message),
      ...(mode !== undefined && { mode }),
      ...(url !== undefined && { url }),
      ...(elicitationId !== undefined && { elicitation_id: elicitationId }),
      ...(requestedSchema !== undefined && { requested_schema: requestedSchema }),
    };
    this.#ask(id, [request], ([answer = {}]) => answer, say, { cancelled: { action: "cancel" } });
  }

  /** The page that the user was sent to is done. */
  completed({ elicitationId }: JsonObject, agent: string, say: Say): void {
    const ids = { mcp_server_name: agent, elicitation_id: shown(elicitationId), uuid: "", session_id: "" };
    say({ type: "system", subtype: "elicitation_complete", ...ids });
  }

  /** Has the host do something with a file or a terminal. */
  clientMethod(id: RpcId, method: string, params: JsonObject, say: Say): void {
    const { subtype, request, result } = CLIENT_METHODS[method] ?? NONE;
    this.#ask(id, [{ subtype, ...request(params) }], ([answer = {}]) => result(answer), say);
  }

  /** Forwards a request in the canonical spelling. */
  pass(id: RpcId, request: JsonObject, say: Say): void {
    this.#ask(id, [request], ([answer = {}]) => answer, say);
  }

  /** Takes a canonical answer; returns the lines that result from it. */
  answer(response: JsonObject): readonly unknown[] {
    const requestId = stringAt(response, "request_id") ?? "";
    const asked = this.#asked.get(requestId);
    if (!asked) return [];
    this.#asked.delete(requestId);
    asked.open.delete(requestId);
    if (response.subtype === "error" && !asked.isPermission) {
      this.#forget(asked);
      return [rpcError(asked.id, RPC_ERRORS.internal, shown(response.error))];
    }
    // An error in place of a decision is no decision: it counts as a denial.
    asked.answers.push(objectAt(response, "response"));
    return asked.open.size > 0 ? [] : [rpcResult(asked.id, asked.result(asked.answers))];
  }

  /** Withdraws a request of the agent; returns the ids of its canonical requests. */
  withdraw(id: RpcId): readonly string[] {
    const open = [...this.#asked].filter(([, asked]) => asked.id === id).map(([requestId]) => requestId);
    for (const requestId of open) this.#asked.delete(requestId);
    return open;
  }

  /** The turn is cancelled: the agent's questions to people are answered accordingly, and no longer need a decision. */
  cancelAll(withdrawn: (requestId: string) => void): readonly unknown[] {
    return [...new Set(this.#asked.values())].flatMap((asked) => {
      if (!asked.cancelled) return [];
      for (const requestId of this.withdraw(asked.id)) withdrawn(requestId);
      return [rpcResult(asked.id, asked.cancelled)];
    });
  }

  #ask(
    id: RpcId,
    requests: readonly JsonObject[],
    result: Asked["result"],
    say: Say,
    { cancelled, isPermission = false }: Partial<Pick<Asked, "cancelled" | "isPermission">> = {},
  ): void {
    // Ids of our own: an agent's ids start over with each of its processes.
    const ids = requests.map(() => randomUUID());
    const asked: Asked = { id, open: new Set(ids), answers: [], result, cancelled, isPermission };
    for (const requestId of ids) this.#asked.set(requestId, asked);
    for (const [at, request] of requests.entries())
      say({ type: "control_request", request_id: ids[at] ?? "", request });
  }

  #forget(asked: Asked): void {
    for (const requestId of asked.open) this.#asked.delete(requestId);
  }
}

const NONE = { subtype: "", request: () => ({}), result: () => ({}) };
