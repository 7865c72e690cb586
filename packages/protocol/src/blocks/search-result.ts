import { array } from "../schema/collection.ts";
import { defaulted, object } from "../schema/object.ts";
import { literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { textBlock } from "./text.ts";

/** One finding of a search, in a form that the model can cite. */
export const searchResultBlock = object({
  type: literal("search_result"),
  source: string,
  title: defaulted(string, ""),
  content: array(textBlock),
});

/** One finding of a search, in a form that the model can cite. */
export type SearchResultBlock = Infer<typeof searchResultBlock>;
