import { array } from "../schema/collection.ts";
import { object, optional } from "../schema/object.ts";
import { jsonObject, literal, nullable, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Plain text of either role. */
export const textBlock = object({
  type: literal("text"),
  text: string,
  citations: optional(nullable(array(jsonObject))),
});

/** Plain text of either role. */
export type TextBlock = Infer<typeof textBlock>;
