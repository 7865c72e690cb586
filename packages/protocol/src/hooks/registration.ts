import { array, record } from "../schema/collection.ts";
import { object, optional, required } from "../schema/object.ts";
import { literal, nullable, number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Hooks of the host that share a matcher, as initialize registers them. */
const hookRegistration = object({
  matcher: optional(nullable(string), "absent or null: always"),
  hookCallbackIds: required(array(string), "the ids that `hook_callback` calls them by"),
  timeout: optional(number, "seconds"),
  onFailure: optional(
    literal("continue", "block"),
    "what happens if the hook fails or its answer can't be read",
  ),
});

/** Hooks of the host that share a matcher, as initialize registers them. */
export type HookRegistration = Infer<typeof hookRegistration>;

/** The host's hooks by event; those of an unknown event are never called. */
export const initializeHooks = record(array(hookRegistration));
