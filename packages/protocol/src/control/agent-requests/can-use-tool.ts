import { permissionResult } from "../../permission-result.ts";
import { permissionUpdate } from "../../permission-update.ts";
import { about } from "../../schema/about.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, jsonObject, literal, oneOf, string } from "../../schema/scalar.ts";
import { mcpServerProvenance } from "../mcp-server.ts";

/** The permission question, with everything a host needs to put it to a person. */
export const canUseTool = {
  request: about(
    "E",
    "Asks whether a tool may run; questions to the user and finished plans come this way too.",
    object({
      subtype: literal("can_use_tool"),
      tool_name: string,
      input: jsonObject,
      tool_use_id: defaulted(string, ""),
      permission_suggestions: optional(array(permissionUpdate), "sent back, they mean `always allow`"),
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
