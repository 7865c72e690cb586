import { isJsonObject, type JsonObject } from "../../json.ts";
import { type RpcId, rpcId } from "../jsonrpc/envelope.ts";
import { objectAt, shown, stringAt } from "../spelling.ts";

/** How a request of ours ended: the peer's result, or its error. */
export type Outcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: number; readonly error: string };

/** The requests of one end that the peer has not answered. */
export class Calls {
  #lastId = 0;
  readonly #open = new Map<RpcId, (outcome: Outcome) => void>();

  /** The line of a request; `settle` is called once, with the peer's answer. */
  request(method: string, params: object, settle: (outcome: Outcome) => void): JsonObject {
    const id = ++this.#lastId;
    this.#open.set(id, settle);
    return { jsonrpc: "2.0", id, method, params };
  }

  /** Takes a response; false if no request waits for it. */
  settle(response: JsonObject): boolean {
    const id = rpcId(response.id);
    const settle = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || !settle) return false;
    this.#open.delete(id);
    settle(outcomeOf(response));
    return true;
  }

  /** Forgets a request; returns whether it was open. */
  forget(id: RpcId): boolean {
    return this.#open.delete(id);
  }
}

function outcomeOf(response: JsonObject): Outcome {
  if (!isJsonObject(response.error)) return { ok: true, result: objectAt(response, "result") };
  const { code, message, data } = response.error;
  const details = isJsonObject(data) ? (stringAt(data, "details") ?? stringAt(data, "message")) : data;
  // "Internal error" alone is no help: many agents give the reason in the details.
  const more = typeof details === "string" && details !== message ? `: ${details}` : "";
  return { ok: false, code: typeof code === "number" ? code : 0, error: `${shown(message)}${more}` };
}

/** A message of the protocol that needs no answer. */
export const notification = (method: string, params: object): JsonObject => ({
  jsonrpc: "2.0",
  method,
  params,
});

/** The error codes of the protocol in addition to those of JSON-RPC. */
export const ACP_ERRORS = { cancelled: -32800, authRequired: -32000, notFound: -32002 } as const;

/** The version of the protocol that this dialect implements. */
export const ACP_VERSION = 1;

/**
 * What both ends announce about themselves; a peer that announces it too gets everything, by the extension
 * methods below.
 */
export const OURS = { agentwire: { version: 1 } };

/** Whether a peer's capabilities identify it as one of ours. */
export const isOurs = (capabilities: JsonObject): boolean =>
  isJsonObject(objectAt(capabilities, "_meta").agentwire);

/**
 * Extension methods, used between two of our programs for what the protocol has no term for, in the canonical
 * spelling. Includes a request that other programs refuse, whose answer shows that they have processed
 * everything before it.
 */
export const EXTENSION = {
  message: "_agentwire/message",
  request: "_agentwire/request",
  settled: "_agentwire/settled",
} as const;
