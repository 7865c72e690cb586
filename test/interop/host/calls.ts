import { CALLBACK_CALLS } from "./callback-calls.ts";
import { METHOD_CALLS } from "./method-calls.ts";
import { OPTION_CALLS } from "./option-calls.ts";
import type { Call } from "./record.ts";

/** One call for each option and each method of the official SDK, by name. */
export const CALLS: Readonly<Record<string, Call>> = { ...OPTION_CALLS, ...CALLBACK_CALLS, ...METHOD_CALLS };
