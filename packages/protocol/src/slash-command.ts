import { array } from "./schema/collection.ts";
import { defaulted, object, optional } from "./schema/object.ts";
import { boolean, string } from "./schema/scalar.ts";
import type { Infer } from "./schema/schema.ts";

/** One command or skill that a user may type after a slash. */
export const slashCommand = object({
  name: string,
  description: defaulted(string, ""),
  argumentHint: defaulted(string, ""),
  aliases: optional(array(string)),
  builtin: optional(boolean, "true for the agent's own commands"),
});

/** One command or skill that a user may type after a slash. */
export type SlashCommand = Infer<typeof slashCommand>;
