import { about } from "../schema/about.ts";
import { optional } from "../schema/object.ts";
import { boolean, oneOf } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** Whether the session works, waits for the host, or rests. */
export const sessionStateMessage = about(
  "R",
  "Sent at each change of state to hosts that ask for it; `idle` comes after the result and ends the work for good.",
  system("session_state_changed", {
    state: oneOf("idle", "running", "requires_action"),
    sdk_host_only: optional(boolean, "meant for the host itself, not for its user"),
  }),
);

/** Whether the session works, waits for the host, or rests. */
export type SessionStateMessage = Infer<typeof sessionStateMessage>;
