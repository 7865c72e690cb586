/** Hook events: what a hook is given, what it may answer, and which calls it is for. */

export { HOOK_EVENTS, type HookEvent, type HookInput, hookShapes } from "../hooks/events.ts";
export { compileMatcher, type HookMatcher, matchedNames } from "../hooks/matcher.ts";
export { type HookOutput, readHookOutput } from "../hooks/output.ts";
export type { HookRegistration } from "../hooks/registration.ts";
