import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import type { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { CommandLifecycleMessage } from "../../messages/progress.ts";
import type { ResultMessage } from "../../messages/result.ts";
import type { Translation } from "../dialect.ts";
import { brief, objectAt, shown } from "../spelling.ts";
import { Batch, Caller } from "./caller.ts";
import { RPC_ERRORS, rpcError, rpcId, rpcNotification, rpcResult } from "./envelope.ts";
import { isResponse, named, type RpcRequest, type Run, readRequest, turnless } from "./run.ts";

/** Speaks the JSON-RPC envelope for an agent: one run at a time, its messages sent under the run's id. */
export class JsonRpcAgent implements Translation<HostMessage, AgentMessage> {
  #run: Run | undefined;
  /** Canonical requests that stand for a JSON-RPC one. */
  readonly #asked = new Map<string, Asked>();
  /** The names of an agent's only session, once the agent has shown that it does not distinguish sessions. */
  #onlySession: ReadonlySet<unknown> | undefined;

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    this.#take(value, sink);
  }

  decodeList(values: readonly unknown[], sink: Sink<HostMessage>): boolean {
    if (values.length === 0) return false;
    const batch = new Batch();
    for (const value of values) this.#take(isJsonObject(value) ? value : {}, sink, batch);
    for (const line of batch.close()) sink.reply(line);
    return true;
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
        return [told(run, message)];
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

  #take(value: JsonObject, sink: Sink<HostMessage>, batch?: Batch): void {
    // Answers to the agent's own requests, and everything besides run, cancel and status, use the official spelling.
    if (!("jsonrpc" in value) && typeof value.type === "string") {
      this.#takeOfficial(value, value.type, sink);
      return;
    }
    if (isResponse(value)) return;
    const request = readRequest(value);
    const caller = new Caller(request ? request.id : (rpcId(value.id) ?? null), batch);
    if (request) this.#call(request, caller, sink);
    else {
      const reason =
        'a request needs jsonrpc "2.0" and a method; params are an object or a list, an id is a string or a number';
      answer(sink, caller.fail(RPC_ERRORS.invalidRequest, reason));
    }
  }

  #takeOfficial(value: JsonObject, type: string, sink: Sink<HostMessage>): void {
    if (type !== "user" && hostMessages.has(type)) readMessage(hostMessages, value, sink);
    else {
      // A prompt outside a run would produce a result that belongs to no request.
      const reason = type === "user" ? "send a prompt with the method run" : `unknown message ${brief(type)}`;
      sink.reply(rpcError(null, RPC_ERRORS.invalidRequest, reason));
    }
  }

  #call(request: RpcRequest, caller: Caller, sink: Sink<HostMessage>): void {
    switch (request.method) {
      case "run":
        this.#start(request, caller, sink);
        return;
      case "cancel":
        this.#cancel(caller, sink);
        return;
      case "status":
        this.#ask({ caller }, sink);
        return;
      default:
        answer(sink, caller.fail(RPC_ERRORS.unknownMethod, `unknown method ${brief(request.method)}`));
    }
  }

  #start(request: RpcRequest, caller: Caller, sink: Sink<HostMessage>): void {
    const { prompt, session_id = "" } = named(request, "prompt", "session_id");
    const isPrompt = typeof prompt === "string" || (Array.isArray(prompt) && prompt.every(isBlock));
    if (!isPrompt || prompt.length === 0 || typeof session_id !== "string") {
      const reason = "run needs params {prompt: string or content blocks, session_id?: string}";
      answer(sink, caller.fail(RPC_ERRORS.badParams, reason));
      return;
    }
    if (this.#run) {
      const data = { currentRequestId: this.#run.caller.id ?? null };
      answer(sink, caller.fail(RPC_ERRORS.alreadyRunning, "a run is already in progress", data));
      return;
    }
    if (session_id !== "" && this.#onlySession?.has(session_id) === false) {
      const reason = `the agent has one session, and it is not ${brief(session_id)}`;
      answer(sink, caller.fail(RPC_ERRORS.badParams, reason));
      return;
    }
    // With a uuid the agent reports when the prompt's turn begins: not always at once, nor always as a separate turn.
    const uuid = randomUUID();
    const meant = session_id === "" ? {} : { session_id };
    const message = { type: "user", message: { role: "user", content: prompt }, uuid, ...meant };
    this.#run = { caller, uuid, sessionId: session_id, isWaiting: false, cancels: new Set() };
    readMessage(hostMessages, message, sink);
  }

  #cancel(caller: Caller, sink: Sink<HostMessage>): void {
    const run = this.#run;
    if (!run) {
      answer(sink, caller.fail(RPC_ERRORS.notRunning, "nothing is running"));
      return;
    }
    run.cancels.add(caller);
    this.#ask({ caller, run }, sink);
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
    const { caller, run } = asked;
    // A request about a run is answered after the run's result, unless the request failed.
    if (run && (response.subtype !== "error" || !run.cancels.delete(caller))) return [];
    if (response.subtype === "error") return caller.fail(RPC_ERRORS.internal, shown(response.error));
    return caller.succeed(this.#status(objectAt(response, "response").session_id));
  }

  #follow(
    { command_uuid, state, session_id }: CommandLifecycleMessage,
    sink: Sink<HostMessage>,
  ): readonly unknown[] {
    const run = this.#run;
    if (!run || run.uuid !== command_uuid || state === "completed") return [];
    run.isWaiting = state === "queued";
    // A cancel that arrived while the run waited has hit the turn before it.
    if (state === "started" && run.cancels.size > 0) this.#ask({ caller: NOBODY, run }, sink);
    if (state === "queued" || state === "started") return [];
    // The fate of a prompt whose turn has begun is reported after the turn; this prompt has none.
    return this.#endRun(run, turnless(session_id, state === "cancelled"));
  }

  /** The run whose turn is in progress. */
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
    const { caller, cancels } = run;
    const last = caller.id === undefined ? [rpcNotification(result)] : caller.succeed(result);
    return [...last, ...[...cancels].flatMap((cancel) => cancel.succeed(status))];
  }

  #status(sessionId: unknown): JsonObject {
    return {
      type: "system",
      subtype: "status",
      running: this.#run !== undefined,
      ...(this.#run?.caller.id !== undefined && { request_id: this.#run.caller.id }),
      ...(sessionId !== undefined && sessionId !== "" && { session_id: sessionId }),
    };
  }
}

/** A JSON-RPC request for which a canonical one is open. */
interface Asked {
  readonly caller: Caller;
  /** The run to cancel; absent for a status request. */
  readonly run?: Run;
}

/** For a request that no one waits for. */
const NOBODY = new Caller(undefined);

/** A message of a run as a response to its request; one that belongs to no request is a notification. */
const told = (run: Run | undefined, message: unknown) =>
  run?.caller.id === undefined ? rpcNotification(message) : rpcResult(run.caller.id, message);

function answer(sink: Sink<HostMessage>, lines: readonly unknown[]): void {
  for (const line of lines) sink.reply(line);
}

const isBlock = (value: unknown) => isJsonObject(value) && typeof value.type === "string";
