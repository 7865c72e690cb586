import { mcpServerProvenance } from "../catalog/mcp-server.ts";
import { permissionUpdate } from "../permission/update.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { anything, boolean, jsonObject, literal, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { either } from "../schema/union.ts";
import { inputOf, outputOf } from "./shape.ts";

const call = { tool_name: string, tool_input: anything, mcp_server: optional(mcpServerProvenance) };

const decision = either(
  object({
    behavior: literal("allow"),
    updatedInput: optional(jsonObject),
    updatedPermissions: optional(array(permissionUpdate)),
  }),
  object({ behavior: literal("deny"), message: optional(string), interrupt: optional(boolean) }),
);

/** Events around permission questions. */
export const permissionHooks = {
  PermissionRequest: {
    matcher: "tool_name",
    input: about(
      "E",
      "When a permission question is about to be asked: the hook runs in parallel with it, and the first answer counts.",
      inputOf("PermissionRequest", {
        ...call,
        permission_suggestions: optional(array(permissionUpdate)),
      }),
    ),
    output: outputOf("PermissionRequest", { decision }),
  },
  PermissionDenied: {
    matcher: "tool_name",
    input: about(
      "X",
      "After a tool call has been denied.",
      inputOf("PermissionDenied", {
        ...call,
        tool_use_id: defaulted(string, ""),
        reason: defaulted(string, ""),
      }),
    ),
    output: outputOf("PermissionDenied", { retry: optional(boolean) }),
  },
};
