import type { ToolOutcome } from "./tool.ts";

/** A call that failed, with the reason the model is told. */
export function failure(reason: string): ToolOutcome {
  return { content: reason, isError: true };
}
