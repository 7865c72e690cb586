import { PERMISSION_MODES } from "../permission-mode.ts";
import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** What the agent is busy with, and changes of the permission mode. */
export const statusMessage = about(
  "R",
  "Sent when a model call or a compaction begins or ends, and when the permission mode changes.",
  system("status", {
    status: defaulted(nullable(oneOf("compacting", "requesting")), null),
    permissionMode: optional(oneOf(...PERMISSION_MODES)),
    compact_result: optional(oneOf("success", "failed")),
    compact_error: optional(string),
  }),
);

/** What the agent is busy with, and changes of the permission mode. */
export type StatusMessage = Infer<typeof statusMessage>;
