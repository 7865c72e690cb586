import { array, record } from "../schema/collection.ts";
import { object, optional, required } from "../schema/object.ts";
import { literal, nullable, number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Hooks of the host that share a matcher, as initialize registers them. */
const hookRegistration = object({
  matcher: optional(nullable(string), "absent or null: always"),
  hookCallbackIds: required(array(string), "what `hook_callback` names them by"),
  timeout: optional(number, "seconds"),
  onFailure: optional(literal("continue", "block"), "what follows when the hook fails or can't be read"),
});

/** Hooks of the host that share a matcher, as initialize registers them. */
export type HookRegistration = Infer<typeof hookRegistration>;

/** The hooks of the host by event; those of an unknown event are never called. */
export const initializeHooks = record(array(hookRegistration));
