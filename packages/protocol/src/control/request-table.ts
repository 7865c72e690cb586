import { object } from "../schema/object.ts";
import type { Infer, Schema } from "../schema/schema.ts";

/** The two halves of one kind of control request: what is asked, and what a success answers. */
export interface RequestShape {
  readonly request: Schema<{ subtype: string }>;
  readonly response: Schema<unknown>;
}

/** Every kind of request that one side may send to the other, by subtype. */
export type RequestTable = { readonly [subtype: string]: RequestShape };

/** A request as it stands on the wire: one of `Table`'s, told apart by `subtype`. */
export type AnyRequest<Table extends RequestTable> = Infer<Table[keyof Table]["request"]>;

/** What a caller gives to send a request of subtype `S`: its fields without the tag. */
export type RequestOf<Table extends RequestTable, S extends keyof Table> = Omit<
  Infer<Table[S]["request"]>,
  "subtype"
>;

/** What a request of subtype `S` is answered with. */
export type ResponseOf<Table extends RequestTable, S extends keyof Table> = Infer<Table[S]["response"]>;

/** The answer to a request that only needs to be acknowledged; on the wire it may also be left out. */
export const acknowledgement = object({});
