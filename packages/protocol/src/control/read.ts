import { isJsonObject } from "../json.ts";
import { Reading, type Repair } from "../schema/reading.ts";
import { type Infer, UNREADABLE } from "../schema/schema.ts";
import { unsupportedRequest } from "./error-codes.ts";
import type { AnyRequest, RequestShape, RequestTable } from "./request-table.ts";
import { type AgentRequest, agentRequests, type HostRequest, hostRequests } from "./tables.ts";

/** A request that can be handled, or the error to answer it with: a peer is never left waiting. */
export type RequestReading<Request> =
  | { readonly ok: true; readonly request: Request }
  | {
      readonly ok: false;
      readonly code: "unsupported_request" | "invalid_request";
      readonly reason: string;
    };

/**
 * Reads a request of a host. Since a request is an instruction, one with an unreadable field is refused
 * rather than obeyed in part: a hook dropped from initialize is a guard that never runs. Null counts as "not
 * given", as some hosts mean it.
 */
export function readHostRequest(value: unknown): RequestReading<HostRequest> {
  return readRequest(hostRequests, value, true);
}

/**
 * Reads a request of an agent. Its optional fields only inform, so an unreadable one is dropped and the
 * question remains.
 */
export function readAgentRequest(value: unknown): RequestReading<AgentRequest> {
  return readRequest(agentRequests, value, false);
}

/** Fails where an ordinary reading would drop something that the peer sent. */
class StrictReading extends Reading {
  override repaired(kind: Repair["kind"], was: unknown): void {
    super.repaired(kind, was);
    const isLoss = kind === "dropped" || kind === "defaulted";
    if (isLoss && was !== undefined && was !== null) this.failed("can't be read");
  }
}

function readRequest<Table extends RequestTable>(
  table: Table,
  value: unknown,
  isInstruction: boolean,
): RequestReading<AnyRequest<Table>> {
  const subtype = isJsonObject(value) ? value.subtype : undefined;
  if (typeof subtype !== "string") {
    return { ok: false, code: "invalid_request", reason: "Control request without a subtype" };
  }
  const shape = Object.hasOwn(table, subtype) ? table[subtype] : undefined;
  if (!shape) return { ok: false, code: "unsupported_request", reason: unsupportedRequest(subtype) };
  if (shape.request.accepts(value)) return { ok: true, request: value as AnyRequest<Table> };
  const reading = isInstruction ? new StrictReading() : new Reading();
  const request = shape.request.read(value, reading);
  const isHalf = isInstruction && reading.failure !== undefined;
  if (request !== UNREADABLE && !isHalf) return { ok: true, request: request as AnyRequest<Table> };
  const reason = reading.failure ?? "it has an unexpected shape";
  return { ok: false, code: "invalid_request", reason: `Invalid ${subtype} request: ${reason}` };
}

/** The payload of a success, or why it can't be used. */
export type ResponseReading<Response> =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly reason: string };

/** Reads the peer's answer to a request of the given shape; a missing payload counts as an empty one. */
export function readResponse<Shape extends RequestShape>(
  { response: schema }: Shape,
  payload: unknown = {},
): ResponseReading<Infer<Shape["response"]>> {
  const reading = new Reading();
  const response = schema.accepts(payload) ? payload : schema.read(payload, reading);
  if (response !== UNREADABLE) return { ok: true, response: response as Infer<Shape["response"]> };
  return {
    ok: false,
    reason: `the answer can't be read: ${reading.failure ?? "it has an unexpected shape"}`,
  };
}
