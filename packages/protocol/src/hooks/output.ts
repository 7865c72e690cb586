import { object, optional } from "../schema/object.ts";
import { boolean, literal, number, string } from "../schema/scalar.ts";
import type { Infer, Schema } from "../schema/schema.ts";
import { exact } from "../schema/schema.ts";
import { either, type Variants, variants } from "../schema/union.ts";
import { type HookEvent, type hookEvents, hookShapes } from "./events.ts";

type WithOutput = Extract<(typeof hookEvents)[HookEvent], { output: Schema<unknown> }>;

const hookSpecificOutput = variants(
  "HookSpecificOutput",
  "hookEventName",
  Object.fromEntries([...hookShapes].flatMap(([event, { output }]) => (output ? [[event, output]] : []))),
) as Variants<Infer<WithOutput["output"]>>;

const later = object({
  async: literal(true),
  asyncTimeout: optional(number, "milliseconds"),
});

const atOnce = object({
  async: optional(literal(false)),
  continue: optional(boolean, "false stops the turn"),
  stopReason: optional(string, "shown if `continue` is false"),
  suppressOutput: optional(boolean),
  decision: optional(literal("approve", "block")),
  reason: optional(string),
  systemMessage: optional(string, "shown to the user"),
  terminalSequence: optional(string),
  hookSpecificOutput: optional(hookSpecificOutput),
});

/**
 * The answer of a hook: a result, or a notice that it will not be waited for. It is read exactly or not at
 * all: a `deny` that lost its decision would look like no opinion, and the failure of a hook that must not
 * fail has to be noticed.
 */
export const hookOutput = exact(either(later, atOnce));

/** The answer of a hook. */
export type HookOutput = Infer<typeof hookOutput>;

/** A hook's answer, or why it is not accepted. */
export type HookOutputReading =
  | { readonly ok: true; readonly output: HookOutput }
  | {
      readonly ok: false;
      readonly reason: string;
      /** It can be read, but answers another event. */
      readonly isForOther: boolean;
    };

/** Reads the answer of a hook that was called for `event`; an answer to another event is refused. */
export function readHookOutput(event: HookEvent, value: unknown): HookOutputReading {
  if (!hookOutput.accepts(value))
    return { ok: false, reason: `the answer to ${event} can't be read`, isForOther: false };
  const answered = value.async ? undefined : value.hookSpecificOutput?.hookEventName;
  return answered === undefined || answered === event
    ? { ok: true, output: value }
    : { ok: false, reason: `the answer to ${event} is for ${answered}`, isForOther: true };
}
