import { Reading } from "../schema/reading.ts";
import { type Infer, UNREADABLE } from "../schema/schema.ts";
import type { RequestShape } from "./request-table.ts";

/** The payload of a success, or why it can't be used. */
export type ResponseReading<Response> =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly reason: string };

/** Reads what a peer answered to a request of the given shape; no payload at all is an empty one. */
export function readResponse<Shape extends RequestShape>(
  { response: schema }: Shape,
  payload: unknown = {},
): ResponseReading<Infer<Shape["response"]>> {
  const reading = new Reading();
  const response = schema.accepts(payload) ? payload : schema.read(payload, reading);
  if (response !== UNREADABLE) return { ok: true, response: response as Infer<Shape["response"]> };
  return { ok: false, reason: `the answer can't be read: ${reading.failure ?? "it has another shape"}` };
}
