import { about } from "../schema/about.ts";
import { object, optional } from "../schema/object.ts";
import { literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** A sign of life from either side. */
export const keepAliveMessage = about(
  "X",
  "Sent so that a quiet line is not taken for a dead one; never answered.",
  object({
    type: literal("keep_alive"),
    startup_mark: optional(string, "a point of the agent's start, for hosts that measure it"),
  }),
);

/** A sign of life from either side. */
export type KeepAliveMessage = Infer<typeof keepAliveMessage>;
