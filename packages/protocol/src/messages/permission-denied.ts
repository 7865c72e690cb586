import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** A tool call was denied without asking anyone. */
export const permissionDeniedMessage = about(
  "X",
  "Sent when a rule or mode denies a tool call; the result's `permission_denials` is the record that counts.",
  system("permission_denied", {
    tool_name: string,
    tool_use_id: defaulted(string, ""),
    message: defaulted(string, "", "what the model was told"),
    agent_id: optional(string),
    decision_reason_type: optional(string),
    decision_reason: optional(string),
  }),
);

/** A tool call was denied without asking anyone. */
export type PermissionDeniedMessage = Infer<typeof permissionDeniedMessage>;
