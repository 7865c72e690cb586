import { randomUUID } from "node:crypto";
import { readMessage, type Sink } from "../../decode.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Malformed } from "../../malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { ResultMessage } from "../../messages/result.ts";
import type { Translation } from "../dialect.ts";
import { objectAt, shown } from "../spelling.ts";
import { RPC_ERRORS, type RpcId, rpcError, rpcId, rpcNotification, rpcResult } from "./envelope.ts";

/** Speaks seed 001's envelope for an agent: one run at a time, its messages under the run's id. */
export class JsonRpcAgent implements Translation<HostMessage, AgentMessage> {
  #run: RpcId | undefined;
  /** Requests that wait for the cancelled run's result before they are answered. */
  #cancels: RpcId[] = [];
  /** Canonical requests that stand for a JSON-RPC one. */
  readonly #asked = new Map<string, Asked>();

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    // Answers to the agent's own requests, and everything beyond run, cancel and status, come in the official spelling.
    if (!("jsonrpc" in value) && typeof value.type === "string") {
      readMessage(hostMessages, value, sink);
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
        if (this.#run === undefined) sink.reply(rpcError(id, RPC_ERRORS.notRunning, "nothing is running"));
        else this.#ask("cancel", id, sink);
        return;
      case "status":
        this.#ask("status", id, sink);
        return;
      default:
        sink.reply(rpcError(id, RPC_ERRORS.unknownMethod, `there is no method ${value.method}`));
    }
  }

  encode(message: AgentMessage): readonly unknown[] {
    if (message.type === "control_response") return this.#answer(message.response);
    if (message.type === "result") return this.#endRun(message);
    return [this.#run === undefined ? rpcNotification(message) : rpcResult(this.#run, message)];
  }

  refuse(fault: Malformed): readonly unknown[] {
    const code =
      fault.code === "not_json" || fault.code === "invalid_utf8"
        ? RPC_ERRORS.badJson
        : RPC_ERRORS.invalidRequest;
    return [rpcError(null, code, fault.reason)];
  }

  #start(id: RpcId, value: JsonObject, sink: Sink<HostMessage>): void {
    const { prompt, session_id } = objectAt(value, "params");
    const usable =
      (typeof prompt === "string" || (Array.isArray(prompt) && prompt.every(isJsonObject))) &&
      prompt.length > 0;
    if (!usable || (session_id !== undefined && typeof session_id !== "string")) {
      sink.reply(
        rpcError(id, RPC_ERRORS.badParams, "run needs params {prompt: string, session_id?: string}"),
      );
      return;
    }
    if (this.#run !== undefined) {
      sink.reply(
        rpcError(id, RPC_ERRORS.alreadyRunning, "a run is under way", { currentRequestId: this.#run }),
      );
      return;
    }
    this.#run = id;
    const named = session_id === undefined ? {} : { session_id };
    readMessage(hostMessages, { type: "user", message: { role: "user", content: prompt }, ...named }, sink);
  }

  #ask(method: "cancel" | "status", id: RpcId, sink: Sink<HostMessage>): void {
    const requestId = randomUUID();
    this.#asked.set(requestId, { method, id, run: this.#run });
    const request = { subtype: method === "cancel" ? "interrupt" : "session_status" };
    sink.message({ type: "control_request", request_id: requestId, request });
  }

  #answer(response: JsonObject): readonly unknown[] {
    const requestId = shown(response.request_id);
    const asked = this.#asked.get(requestId);
    if (!asked) return [{ type: "control_response", response }];
    this.#asked.delete(requestId);
    if (response.subtype === "error") return [rpcError(asked.id, RPC_ERRORS.internal, shown(response.error))];
    if (asked.method === "status") return [rpcResult(asked.id, this.#status(objectAt(response, "response")))];
    // The run may have ended by itself, and another have begun.
    if (this.#run === undefined || this.#run !== asked.run)
      return [rpcResult(asked.id, this.#status(objectAt(response, "response")))];
    this.#cancels.push(asked.id);
    return [];
  }

  #endRun(result: ResultMessage): readonly unknown[] {
    const run = this.#run;
    const cancels = this.#cancels;
    if (run === undefined) return [rpcNotification(result)];
    this.#run = undefined;
    this.#cancels = [];
    const last = cancels.length > 0 ? { ...result, subtype: "cancelled" } : result;
    return [rpcResult(run, last), ...cancels.map((id) => rpcResult(id, status(false)))];
  }

  #status(response: JsonObject): JsonObject {
    const { session_id } = response;
    const running = this.#run !== undefined;
    return {
      ...status(running),
      ...(running && { request_id: this.#run }),
      ...(session_id !== undefined && { session_id }),
    };
  }
}

/** A JSON-RPC request for which a canonical one is open. */
interface Asked {
  readonly method: "cancel" | "status";
  readonly id: RpcId;
  /** The run under way when it came. */
  readonly run: RpcId | undefined;
}

const status = (running: boolean): JsonObject => ({ type: "system", subtype: "status", running });
