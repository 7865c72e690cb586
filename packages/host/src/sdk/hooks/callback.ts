import type { HookInput } from "./inputs.ts";
import type { HookJSONOutput } from "./outputs.ts";

/** Called when an event happens; may influence what follows. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: {
    /** Aborted when the answer is no longer awaited. */
    signal: AbortSignal;
  },
) => Promise<HookJSONOutput>;

/** The callbacks for the cases of an event that a pattern matches. */
export interface HookCallbackMatcher {
  /** Absent: every case. */
  matcher?: string;
  hooks: HookCallback[];
  /** Seconds that the callbacks may take. */
  timeout?: number;
  onFailure?: "continue" | "block";
}
