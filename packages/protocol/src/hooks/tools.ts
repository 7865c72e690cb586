import { mcpServerProvenance } from "../catalog/mcp-server.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { anything, boolean, jsonObject, literal, number, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

const call = { tool_name: string, tool_input: anything, tool_use_id: defaulted(string, "") };
const origin = { mcp_server: optional(mcpServerProvenance) };
const duration = { duration_ms: optional(number, "excluding time spent on questions and hooks") };

/** Events around tool calls. */
export const toolHooks = {
  PreToolUse: {
    matcher: "tool_name",
    input: about(
      "E",
      "Before a tool runs and before anyone is asked: the hook may allow, deny, ask or defer the call.",
      inputOf("PreToolUse", { ...call, ...origin }),
    ),
    output: outputOf("PreToolUse", {
      permissionDecision: optional(literal("allow", "deny", "ask", "defer")),
      permissionDecisionReason: optional(string),
      updatedInput: optional(jsonObject, "used only with allow or ask"),
      ...addedContext,
    }),
  },
  PostToolUse: {
    matcher: "tool_name",
    input: about(
      "E",
      "After a tool has run: the hook may change the result that the model sees.",
      inputOf("PostToolUse", { ...call, tool_response: optional(anything), ...duration, ...origin }),
    ),
    output: outputOf("PostToolUse", {
      ...addedContext,
      updatedToolOutput: optional(anything),
      updatedMCPToolOutput: optional(anything, "for MCP tools only; older than `updatedToolOutput`"),
      classifierContext: optional(string),
    }),
  },
  PostToolUseFailure: {
    matcher: "tool_name",
    input: about(
      "E",
      "After a tool has failed.",
      inputOf("PostToolUseFailure", {
        ...call,
        error: string,
        is_interrupt: optional(boolean),
        ...duration,
        ...origin,
      }),
    ),
    output: outputOf("PostToolUseFailure", addedContext),
  },
  PostToolBatch: {
    input: about(
      "X",
      "Once after all tool calls of a step, before the model is called again.",
      inputOf("PostToolBatch", {
        tool_calls: array(object({ ...call, tool_response: optional(anything) })),
      }),
    ),
    output: outputOf("PostToolBatch", addedContext),
  },
};
