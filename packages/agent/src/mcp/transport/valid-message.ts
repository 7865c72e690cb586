import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** The client drops an answer that it can't parse and keeps waiting; here it becomes an error, which ends the wait. */
export function validMessage(message: JsonObject): JSONRPCMessage {
  const { id, method, result, error } = message;
  const isAnswer = method === undefined && id !== undefined;
  const isSound = error === undefined ? isJsonObject(result) : isSoundError(error);
  if (!isAnswer || isSound) return { ...message, jsonrpc: "2.0" } as JSONRPCMessage;
  const said =
    isJsonObject(error) && typeof error.message === "string" ? error.message : "the answer is malformed";
  return { jsonrpc: "2.0", id, error: { code: -32603, message: said } } as JSONRPCMessage;
}

function isSoundError(error: unknown): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error.code) && typeof error.message === "string";
}
