/** Hook events: the input of a hook, its possible answers, and the calls it applies to. */

export { HOOK_EVENTS, type HookEvent, type HookInput, hookShapes } from "../hooks/events.ts";
export { compileMatcher, type HookMatcher, matchedNames } from "../hooks/matcher.ts";
export { type HookOutput, readHookOutput } from "../hooks/output.ts";
export type { HookRegistration } from "../hooks/registration.ts";
