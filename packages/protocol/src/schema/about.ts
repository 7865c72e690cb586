import type { Schema } from "./schema.ts";

/** How much a peer needs a shape: essential for ordinary use, recommended, or extra. */
export type Mark = "E" | "R" | "X";

/** Gives a schema its sentence in the generated reference: when it is sent, or what it is for. */
export function about<S extends Schema<unknown>>(mark: Mark, sentence: string, schema: S): S {
  return { ...schema, doc: { ...schema.doc, mark, about: sentence } };
}
