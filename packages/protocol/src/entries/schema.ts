/** The schema language that messages are written in. */

export type { FieldDoc, Infer, Schema, SchemaDoc } from "../schema/schema.ts";
