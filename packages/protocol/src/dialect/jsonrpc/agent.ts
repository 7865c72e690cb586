import { randomUUID } from "node:crypto";
import { readMessage, type Sink } from "../../decode.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Malformed } from "../../malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { CommandLifecycleMessage } from "../../messages/command-lifecycle.ts";
import type { ResultMessage } from "../../messages/result.ts";
import type { Translation } from "../dialect.ts";
import { brief, objectAt, shown } from "../spelling.ts";
import { RPC_ERRORS, type RpcId, rpcError, rpcId, rpcNotification, rpcResult } from "./envelope.ts";
import { type Run, turnless } from "./run.ts";

/** Speaks seed 001's envelope for an agent: one run at a time, its messages under the run's id. */
export class JsonRpcAgent implements Translation<HostMessage, AgentMessage> {
  #run: Run | undefined;
  /** Canonical requests that stand for a JSON-RPC one. */
  readonly #asked = new Map<string, Asked>();
  /** The names of an agent's only session, once it has shown that it does not tell sessions apart. */
  #onlySession: ReadonlySet<unknown> | undefined;

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    // Answers to the agent's own requests, and everything beyond run, cancel and status, come in the official spelling.
    if (!("jsonrpc" in value) && typeof value.type === "string") {
      this.#takeOfficial(value, value.type, sink);
      return;
    }
    const id = rpcId(value.id);
    if (value.jsonrpc !== "2.0" || typeof value.method !== "string" || id === undefined) {
      sink.reply(
        rpcError(id ?? null, RPC_ERRORS.invalidRequest, 'a request needs jsonrpc "2.0", an id and a method'),
      );
      return;
    }
    switch (value.method) {
      case "run":
        this.#start(id, value, sink);
        return;
      case "cancel":
        this.#cancel(id, sink);
        return;
      case "status":
        this.#ask({ id }, sink);
        return;
      default:
        sink.reply(rpcError(id, RPC_ERRORS.unknownMethod, `there is no method ${brief(value.method)}`));
    }
  }

  encode(message: AgentMessage, sink: Sink<HostMessage>): readonly unknown[] {
    switch (message.type) {
      case "control_response":
        return this.#answer(message.response);
      case "command_lifecycle":
        return this.#follow(message, sink);
      case "result":
        return this.#endTurn(message);
      default: {
        const run = this.#speaking();
        return [run ? rpcResult(run.id, message) : rpcNotification(message)];
      }
    }
  }

  refuse(fault: Malformed): readonly unknown[] {
    const code =
      fault.code === "not_json" || fault.code === "invalid_utf8"
        ? RPC_ERRORS.badJson
        : RPC_ERRORS.invalidRequest;
    return [rpcError(null, code, fault.reason)];
  }

  #takeOfficial(value: JsonObject, type: string, sink: Sink<HostMessage>): void {
    if (type !== "user" && hostMessages.has(type)) readMessage(hostMessages, value, sink);
    else {
      // A prompt outside a run would have a result that is nobody's.
      const reason =
        type === "user" ? "a prompt is sent by the method run" : `there is no message ${brief(type)}`;
      sink.reply(rpcError(null, RPC_ERRORS.invalidRequest, reason));
    }
  }

  #start(id: RpcId, value: JsonObject, sink: Sink<HostMessage>): void {
    const { prompt, session_id = "" } = objectAt(value, "params");
    const isPrompt = typeof prompt === "string" || (Array.isArray(prompt) && prompt.every(isBlock));
    if (!isPrompt || prompt.length === 0 || typeof session_id !== "string") {
      sink.reply(
        rpcError(
          id,
          RPC_ERRORS.badParams,
          "run needs params {prompt: string or content blocks, session_id?: string}",
        ),
      );
      return;
    }
    if (this.#run) {
      sink.reply(
        rpcError(id, RPC_ERRORS.alreadyRunning, "a run is under way", { currentRequestId: this.#run.id }),
      );
      return;
    }
    if (session_id !== "" && this.#onlySession?.has(session_id) === false) {
      const reason = `the agent has one session, and it is not ${brief(session_id)}`;
      sink.reply(rpcError(id, RPC_ERRORS.badParams, reason));
      return;
    }
    // A uuid makes the agent tell when the prompt's turn begins: not always at once, nor always in a turn of its own.
    const uuid = randomUUID();
    const named = session_id === "" ? {} : { session_id };
    const message = { type: "user", message: { role: "user", content: prompt }, uuid, ...named };
    this.#run = { id, uuid, sessionId: session_id, isWaiting: false, cancels: new Set() };
    readMessage(hostMessages, message, sink);
  }

  #cancel(id: RpcId, sink: Sink<HostMessage>): void {
    const run = this.#run;
    if (!run) {
      sink.reply(rpcError(id, RPC_ERRORS.notRunning, "nothing is running"));
      return;
    }
    run.cancels.add(id);
    this.#ask({ id, run }, sink);
  }

  #ask(asked: Asked, sink: Sink<HostMessage>): void {
    const requestId = randomUUID();
    this.#asked.set(requestId, asked);
    const request =
      asked.run === undefined ? { subtype: "session_status" } : { subtype: "interrupt", cancel_queued: true };
    sink.message({ type: "control_request", request_id: requestId, request });
  }

  #answer(response: JsonObject): readonly unknown[] {
    const requestId = shown(response.request_id);
    const asked = this.#asked.get(requestId);
    if (!asked) return [{ type: "control_response", response }];
    this.#asked.delete(requestId);
    const { id, run } = asked;
    // What was asked of a run is answered after its result, unless it came to nothing.
    if (run && (response.subtype !== "error" || !run.cancels.delete(id))) return [];
    if (response.subtype === "error") return [rpcError(id, RPC_ERRORS.internal, shown(response.error))];
    return [rpcResult(id, this.#status(objectAt(response, "response").session_id))];
  }

  #follow(
    { command_uuid, state, session_id }: CommandLifecycleMessage,
    sink: Sink<HostMessage>,
  ): readonly unknown[] {
    const run = this.#run;
    if (!run || run.uuid !== command_uuid || state === "completed") return [];
    run.isWaiting = state === "queued";
    // A cancel that came while it waited has met the turn before it.
    if (state === "started" && run.cancels.size > 0) this.#ask({ id: null, run }, sink);
    if (state === "queued" || state === "started") return [];
    // What became of a prompt whose turn has begun is told after the turn: this one has none.
    return this.#endRun(run, turnless(session_id, state === "cancelled"));
  }

  /** The run whose turn it is. */
  #speaking(): Run | undefined {
    return this.#run?.isWaiting ? undefined : this.#run;
  }

  #endTurn(result: ResultMessage): readonly unknown[] {
    const run = this.#speaking();
    if (!run) return [rpcNotification(result)];
    if (run.sessionId !== "" && run.sessionId !== result.session_id)
      this.#onlySession = new Set([run.sessionId, result.session_id]);
    const isCancelled =
      result.terminal_reason?.startsWith("aborted") || (run.cancels.size > 0 && result.is_error);
    return this.#endRun(run, isCancelled ? { ...result, subtype: "cancelled" } : result);
  }

  #endRun(run: Run, result: JsonObject): readonly unknown[] {
    this.#run = undefined;
    const status = this.#status(result.session_id);
    return [rpcResult(run.id, result), ...[...run.cancels].map((id) => rpcResult(id, status))];
  }

  #status(sessionId: unknown): JsonObject {
    return {
      type: "system",
      subtype: "status",
      running: this.#run !== undefined,
      ...(this.#run && { request_id: this.#run.id }),
      ...(sessionId !== undefined && sessionId !== "" && { session_id: sessionId }),
    };
  }
}

/** A JSON-RPC request for which a canonical one is open. */
interface Asked {
  readonly id: RpcId;
  /** The run to cancel; absent: how things stand. */
  readonly run?: Run;
}

const isBlock = (value: unknown) => isJsonObject(value) && typeof value.type === "string";
