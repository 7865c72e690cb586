import { effortLevel } from "../catalog/catalog.ts";
import { PERMISSION_MODES } from "../permission/mode.ts";
import { defaulted, type Fields, object, optional } from "../schema/object.ts";
import { literal, oneOf, string } from "../schema/scalar.ts";
import type { Schema } from "../schema/schema.ts";

/** One hook event: the hook's input, its possible answers, and the field that a matcher is compared with. */
export interface HookShape {
  readonly input: Schema<{ hook_event_name: string }>;
  readonly output?: Schema<{ hookEventName: string }>;
  readonly matcher?: string;
}

const base = {
  session_id: defaulted(string, ""),
  transcript_path: defaulted(string, ""),
  cwd: defaulted(string, ""),
  prompt_id: optional(string, "the same until the next prompt"),
  permission_mode: optional(oneOf(...PERMISSION_MODES)),
  agent_id: optional(string, "only inside a subagent"),
  agent_type: optional(string),
  effort: optional(object({ level: effortLevel })),
};

type Base<F extends Fields> = Omit<typeof base, keyof F>;

/** The input of a hook for `event`: the fields common to all events, then the event's own, which may be stricter. */
export function inputOf<const Event extends string, F extends Fields>(event: Event, fields: F) {
  const common = base as Base<F>;
  return object({ ...common, hook_event_name: literal(event), ...fields });
}

/** The possible answers of a hook to `event` in `hookSpecificOutput`. */
export function outputOf<const Event extends string, F extends Fields>(event: Event, fields: F) {
  return object({ hookEventName: literal(event), ...fields });
}

/** Text that a hook adds for the model. */
export const addedContext = { additionalContext: optional(string, "shown to the model") };
