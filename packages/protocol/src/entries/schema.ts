/** The schema language that messages, options and settings are written in. */

export { faultIn } from "../schema/check.ts";
export { array, record } from "../schema/collection.ts";
export { object, optional } from "../schema/object.ts";
export { anything, boolean, jsonObject, literal, number, scalar, string } from "../schema/scalar.ts";
export type { FieldDoc, Infer, Schema, SchemaDoc } from "../schema/schema.ts";
export { exact } from "../schema/schema.ts";
export { either } from "../schema/union.ts";
