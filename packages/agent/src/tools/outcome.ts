import type { ToolOutcome } from "./tool.ts";

/** A failed call, with the reason for the model. */
export function failure(reason: string): ToolOutcome {
  return { content: reason, isError: true };
}

/** A call that was not attempted: the reason is wrapped in the tag by which models recognize their own mistakes. */
export function refused(reason: string): ToolOutcome {
  const isNamed = /^(?:InputValidation)?Error: /.test(reason);
  return {
    content: `<tool_use_error>${reason}</tool_use_error>`,
    isError: true,
    data: isNamed ? reason : `Error: ${reason}`,
  };
}
