import type { ToolOutcome } from "./tool.ts";

/** A call that failed, with the reason the model is told. */
export function failure(reason: string): ToolOutcome {
  return { content: reason, isError: true };
}

/** A call that was not even tried: the model is told the reason in the marks by which it knows its own mistakes. */
export function refused(reason: string): ToolOutcome {
  const isNamed = /^(?:InputValidation)?Error: /.test(reason);
  return {
    content: `<tool_use_error>${reason}</tool_use_error>`,
    isError: true,
    data: isNamed ? reason : `Error: ${reason}`,
  };
}
