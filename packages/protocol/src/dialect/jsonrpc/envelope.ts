import type { JsonObject } from "../../json.ts";

/** What names a JSON-RPC request. */
export type RpcId = string | number | null;

/** The error codes of the JSON-RPC envelope. */
export const RPC_ERRORS = {
  badJson: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  internal: -32603,
  alreadyRunning: -32001,
  notRunning: -32002,
} as const;

/** A message as a response to the request it belongs to. */
export function rpcResult(id: RpcId, result: unknown): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** A refusal of a request. */
export function rpcError(id: RpcId, code: number, message: string, data?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } };
}

/** A message that belongs to no request. */
export function rpcNotification(message: unknown): JsonObject {
  return { jsonrpc: "2.0", method: "message", params: message };
}

/** The request's id, where it is one that can be answered. */
export function rpcId(value: unknown): RpcId | undefined {
  return typeof value === "string" || typeof value === "number" || value === null ? value : undefined;
}
