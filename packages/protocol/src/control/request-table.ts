import { object } from "../schema/object.ts";
import type { Infer, Schema } from "../schema/schema.ts";

/** The two halves of one kind of control request: the request and the payload of a success. */
export interface RequestShape {
  readonly request: Schema<{ subtype: string }>;
  readonly response: Schema<unknown>;
}

/** Every kind of request that one side may send to the other, by subtype. */
export type RequestTable = { readonly [subtype: string]: RequestShape };

/** A request as it is on the wire: one of `Table`'s, distinguished by `subtype`. */
export type AnyRequest<Table extends RequestTable> = Infer<Table[keyof Table]["request"]>;

/** What a caller passes to send a request of subtype `S`: its fields without the tag. */
export type RequestOf<Table extends RequestTable, S extends keyof Table> = Omit<
  Infer<Table[S]["request"]>,
  "subtype"
>;

/** The payload that answers a request of subtype `S`. */
export type ResponseOf<Table extends RequestTable, S extends keyof Table> = Infer<Table[S]["response"]>;

/** The payload of an answer that only acknowledges the request; on the wire it may be absent. */
export const acknowledgement = object({});
