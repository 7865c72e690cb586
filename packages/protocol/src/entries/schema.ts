/** The schema language that messages, options and settings are written in. */

export { type Checked, check, faultIn, readText } from "../schema/check.ts";
export { array, record, texts } from "../schema/collection.ts";
export { closed, type Fields, object, optional } from "../schema/object.ts";
export type { Fault, UnknownKey } from "../schema/reading.ts";
export {
  anything,
  boolean,
  choice,
  filled,
  jsonObject,
  type Limits,
  literal,
  number,
  numberIn,
  scalar,
  string,
} from "../schema/scalar.ts";
export type { FieldDoc, Infer, Schema, SchemaDoc } from "../schema/schema.ts";
export { called, exact } from "../schema/schema.ts";
export { either } from "../schema/union.ts";
