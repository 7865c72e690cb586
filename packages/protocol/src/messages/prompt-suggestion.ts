import { about } from "../schema/about.ts";
import { object } from "../schema/object.ts";
import { literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

/** What the user may want to say next. */
export const promptSuggestionMessage = about(
  "X",
  "Sent after the result, at most once per turn, when the host asked for suggestions.",
  object({ type: literal("prompt_suggestion"), suggestion: string, ...trailer }),
);

/** What the user may want to say next. */
export type PromptSuggestionMessage = Infer<typeof promptSuggestionMessage>;
