import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Caller } from "./caller.ts";
import { type RpcId, rpcId } from "./envelope.ts";

/** A run, from its request to its result. */
export interface Run {
  readonly caller: Caller;
  /** The uuid of its prompt. */
  readonly uuid: string;
  /** The session it was meant for; empty if it named none. */
  readonly sessionId: string;
  /** Its turn has not begun: a turn that no run asked for, such as one about a background task, is still running. */
  isWaiting: boolean;
  /** The requests to cancel it, which are answered after its result. */
  readonly cancels: Set<Caller>;
}

/** The result of a run that was cancelled or refused before it had a turn. */
export const turnless = (sessionId: string, isCancelled: boolean): JsonObject => ({
  type: "result",
  subtype: isCancelled ? "cancelled" : "error_during_execution",
  duration_ms: 0,
  duration_api_ms: 0,
  is_error: true,
  num_turns: 0,
  session_id: sessionId,
});

/** A JSON-RPC 2.0 request; without an id it is a notification. */
export interface RpcRequest {
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: JsonObject | readonly unknown[];
}

/** Reads a request; undefined if the value is none. */
export function readRequest(value: JsonObject): RpcRequest | undefined {
  const { jsonrpc, method, params = {} } = value;
  const id = rpcId(value.id);
  if (jsonrpc !== "2.0" || typeof method !== "string" || ("id" in value && id === undefined))
    return undefined;
  return isJsonObject(params) || Array.isArray(params) ? { id, method, params } : undefined;
}

/** Whether a line is a response, which is never answered itself. */
export const isResponse = (value: JsonObject): boolean =>
  value.jsonrpc === "2.0" && !("method" in value) && ("result" in value || "error" in value);

/** Parameters by name; they may have been given by position. */
export function named({ params }: RpcRequest, ...names: readonly string[]): JsonObject {
  if (isJsonObject(params)) return params;
  return Object.fromEntries(names.slice(0, params.length).map((name, at) => [name, params[at]]));
}
