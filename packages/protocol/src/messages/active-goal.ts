import { about } from "../schema/about.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { literal, nullable, number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

/** The goal that the agent works towards by itself. */
export const activeGoalMessage = about(
  "X",
  "Sent when a goal set with `/goal` was checked; null when it is reached or dropped.",
  object({
    type: literal("active_goal"),
    value: nullable(
      object({
        condition: string,
        iterations: defaulted(number, 0),
        set_at: defaulted(number, 0),
        tokens_at_start: defaulted(number, 0),
        last_reason: optional(string, "why it is not reached yet"),
      }),
    ),
    ...trailer,
  }),
);

/** The goal that the agent works towards by itself. */
export type ActiveGoalMessage = Infer<typeof activeGoalMessage>;
