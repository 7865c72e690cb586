import type { HookInput } from "./inputs.ts";
import type { HookJSONOutput } from "./outputs.ts";

/** Is called when an event happens, and may have a say in it. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: {
    /** Aborted when the answer is no longer awaited. */
    signal: AbortSignal;
  },
) => Promise<HookJSONOutput>;

/** The callbacks for the cases of an event that a pattern covers. */
export interface HookCallbackMatcher {
  /** Absent: every case. */
  matcher?: string;
  hooks: HookCallback[];
  /** Seconds that the callbacks may take. */
  timeout?: number;
  onFailure?: "continue" | "block";
}
