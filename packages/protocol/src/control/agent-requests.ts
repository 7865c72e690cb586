import { mcpServerProvenance } from "../catalog/mcp-server.ts";
import { hookInput } from "../hooks/events.ts";
import { hookOutput } from "../hooks/output.ts";
import { permissionResult } from "../permission/result.ts";
import { permissionUpdate } from "../permission/update.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional, required } from "../schema/object.ts";
import { anything, boolean, jsonObject, literal, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { either } from "../schema/union.ts";

/** The permission question, with everything a host needs to ask a person. */
export const canUseTool = {
  request: about(
    "E",
    "Asks whether a tool may run; questions to the user and finished plans are sent this way too.",
    object({
      subtype: literal("can_use_tool"),
      tool_name: string,
      input: jsonObject,
      tool_use_id: defaulted(string, ""),
      permission_suggestions: optional(array(permissionUpdate), "when sent back, they mean `always allow`"),
      blocked_path: optional(string),
      decision_reason: optional(string),
      decision_reason_type: optional(
        oneOf(
          "rule",
          "mode",
          "subcommandResults",
          "permissionPromptTool",
          "hook",
          "asyncAgent",
          "sandboxOverride",
          "workingDir",
          "safetyCheck",
          "classifier",
          "other",
        ),
      ),
      title: optional(string),
      display_name: optional(string),
      description: optional(string),
      agent_id: optional(string, "the subagent that wants to run it"),
      mcp_server: optional(mcpServerProvenance),
      matched_ask_rule: optional(
        object({ source: string, tool_name: string, rule_content: optional(string) }),
      ),
      classifier_approvable: optional(boolean),
      suppress_always_allow_rule: optional(boolean),
      default_to_no: optional(boolean),
      requires_user_interaction: optional(boolean),
      server_policy_ask_only: optional(boolean),
    }),
  ),
  response: permissionResult,
};

/** A call of a hook that the host registered. */
export const hookCallback = {
  request: about(
    "E",
    "Calls a hook of the host; all hooks of an event are called concurrently.",
    object({
      subtype: literal("hook_callback"),
      callback_id: required(string, "one of the `hookCallbackIds` of initialize"),
      input: hookInput,
      tool_use_id: optional(string),
    }),
  ),
  response: hookOutput,
};

/** A message to an MCP server in the host's process. */
export const mcpMessage = {
  request: about(
    "E",
    "Carries a JSON-RPC message to a server in the host's process; notifications must be answered too.",
    object({ subtype: literal("mcp_message"), server_name: string, message: jsonObject }),
  ),
  response: object({ mcp_response: optional(jsonObject, "ignored if the message was a notification") }),
};

/** A question from an MCP server to the user. */
export const elicitation = {
  request: about(
    "R",
    "Forwards a question from an MCP server: a form to fill in or a URL to open.",
    object({
      subtype: literal("elicitation"),
      mcp_server_name: string,
      message: string,
      mode: optional(oneOf("form", "url")),
      url: optional(string),
      elicitation_id: optional(string),
      requested_schema: optional(jsonObject),
      property_order: optional(array(string)),
      title: optional(string),
      display_name: optional(string),
      description: optional(string),
    }),
  ),
  response: object({ action: literal("accept", "decline", "cancel"), content: optional(jsonObject) }),
};

/** A dialog of the agent's, shown by the host. */
export const userDialog = {
  request: about(
    "X",
    "Asks the host to show a dialog of a kind that it named in initialize; other kinds are not answered.",
    object({
      subtype: literal("request_user_dialog"),
      dialog_kind: string,
      payload: defaulted(jsonObject, {}),
      tool_use_id: optional(string),
    }),
  ),
  response: either(
    object({ behavior: literal("completed"), result: optional(anything) }),
    object({ behavior: literal("cancelled") }),
  ),
};
