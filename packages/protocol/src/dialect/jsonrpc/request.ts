import { isJsonObject, type JsonObject } from "../../json.ts";
import { type RpcId, rpcId } from "./envelope.ts";

/** A request as JSON-RPC 2.0 has it; without an id it is a notification. */
export interface RpcRequest {
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: JsonObject | readonly unknown[];
}

/** Reads a request; undefined if it is none. */
export function readRequest(value: JsonObject): RpcRequest | undefined {
  const { jsonrpc, method, params = {} } = value;
  const id = rpcId(value.id);
  if (jsonrpc !== "2.0" || typeof method !== "string" || ("id" in value && id === undefined))
    return undefined;
  return isJsonObject(params) || Array.isArray(params) ? { id, method, params } : undefined;
}

/** Whether a line answers a request: that is never answered itself. */
export const isResponse = (value: JsonObject): boolean =>
  value.jsonrpc === "2.0" && !("method" in value) && ("result" in value || "error" in value);

/** Parameters by name, which may have been given in their order. */
export function named({ params }: RpcRequest, ...names: readonly string[]): JsonObject {
  if (isJsonObject(params)) return params;
  return Object.fromEntries(names.slice(0, params.length).map((name, at) => [name, params[at]]));
}
