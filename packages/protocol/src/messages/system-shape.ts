import { type Fields, object } from "../schema/object.ts";
import { literal } from "../schema/scalar.ts";
import { trailer } from "./trailer.ts";

/** A `system` message of one subtype: its own fields between the tags and the trailer. */
export function system<const Subtype extends string, F extends Fields>(subtype: Subtype, fields: F) {
  return object({ type: literal("system"), subtype: literal(subtype), ...fields, ...trailer });
}
