import type { JsonObject } from "../../json.ts";

/** The id of a JSON-RPC request. */
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

/** The request's id, if it can be answered. */
export function rpcId(value: unknown): RpcId | undefined {
  return typeof value === "string" || typeof value === "number" || value === null ? value : undefined;
}

/**
 * The id of a request whose line can't be read, from the start of the line; null if it is not there. Without
 * it the caller would wait forever.
 */
export function idFromHead(head: string): RpcId {
  const [, id] = HEAD_WITH_ID.exec(head) ?? [];
  if (id === undefined) return null;
  try {
    return rpcId(JSON.parse(id)) ?? null;
  } catch {
    return null;
  }
}

/** Libraries write the id before the params, next to other short members. */
const HEAD_WITH_ID =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d{1,16}|"[^"\\]*")\s*[,}]/;
