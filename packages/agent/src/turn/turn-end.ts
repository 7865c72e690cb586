import type { PermissionDenial } from "@agentwire/protocol/messages";
import type { Call } from "./call.ts";

/** How a turn ended; `reason` is the wire's `terminal_reason`. */
export interface TurnEnd {
  readonly reason: string;
  /** The last text of the model, or of the error. */
  readonly text: string;
  readonly stopReason: string | null;
  readonly error?: { readonly status: number | null; readonly type: string };
  /** The value that the host requested with a schema. */
  readonly structured?: unknown;
  readonly denials: readonly PermissionDenial[];
  /** How many `user` messages the turn wrote; `num_turns` is one more. */
  readonly userMessages: number;
  readonly deferred?: Call;
}
